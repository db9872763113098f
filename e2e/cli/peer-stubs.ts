import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

// Stubs of other services' APIs, with the parts that an import reads: three customers with seven endpoints,
// more than one page, a disabled endpoint, several secrets, custom headers, and one example of everything that
// cannot be imported.

/** The token that each stub requires. */
export const PEER_TOKEN = 'peer-token';

export type PeerStub = { url: string; asked: string[]; close: () => Promise<void> };

export const RECEIVER = 'https://127.0.0.1';
const secretOf = (name: string) => `whsec_${Buffer.from(`secret of ${name}`.padEnd(24, '.')).toString('base64')}`;

const AT = '2026-01-01T00:00:00.000Z';
const DATED = { createdAt: AT, updatedAt: AT };

/** More pairs than an application keeps here. */
const SIX_PAIRS = { a: '1', b: '2', c: '3', d: '4', e: '5', f: '6' };

type Answer = (url: URL) => unknown;

/** Starts a stub that answers what `answer` returns, and 404 for undefined. */
async function start(answer: Answer): Promise<PeerStub> {
  const asked: string[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    const url = new URL(request.url ?? '', 'http://stub');
    asked.push(`${request.method} ${url.pathname}`);
    response.setHeader('content-type', 'application/json');
    const isAllowed = request.headers.authorization === `Bearer ${PEER_TOKEN}` && request.method === 'GET';
    const body = isAllowed ? answer(url) : { message: 'not allowed' };
    response.statusCode = isAllowed ? (body === undefined ? 404 : 200) : 401;
    response.end(JSON.stringify(body ?? { message: 'not found' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** A page of two items, whatever page size was requested. */
function pageOf<Item>(items: readonly Item[], after: string | null): { part: Item[]; next: string | null } {
  const from = after === null ? 0 : Number(after);
  return { part: items.slice(from, from + 2), next: from + 2 < items.length ? String(from + 2) : null };
}

export function startSvix(): Promise<PeerStub> {
  const applications = ['a', 'b', 'c'].map((name, n) => ({
    id: `app_${name}`,
    uid: n === 0 ? null : `svix-${name}`,
    name: `Customer ${name}`,
    metadata: n === 2 ? SIX_PAIRS : { tier: 'gold' },
    ...(n === 1 && { throttleRate: 20 }),
    ...(n === 2 && { rateLimit: 30 }),
    ...DATED,
  }));
  const endpoint = (id: string, more: object = {}) => ({
    id,
    url: `${RECEIVER}/${id}`,
    description: `About ${id}`,
    disabled: false,
    filterTypes: ['order.paid'],
    metadata: {},
    version: 1,
    ...DATED,
    ...more,
  });
  const endpoints: Record<string, { id: string }[]> = {
    app_a: [
      endpoint('ep_1', { uid: 'billing', throttleRate: 5 }),
      endpoint('ep_2', { disabled: true }),
      endpoint('ep_3', { channels: ['eu'] }),
    ],
    app_b: [
      endpoint('ep_4', { filterTypes: null, uid: 'billing', rateLimit: 7 }),
      endpoint('ep_5', { filterTypes: ['Order.Refunded'], throttleRate: 20_000 }),
    ],
    app_c: [endpoint('ep_6'), endpoint('ep_7', { url: 'http://127.0.0.1/plain' })],
  };
  const types = [
    {
      name: 'order.paid',
      description: 'Paid',
      schemas: { '1': { type: 'object' }, '2': { type: 'object', required: ['id'] } },
    },
    { name: 'Order.Refunded', description: 'Refunded', schemas: null },
    { name: 'user.created', description: 'Created', schemas: null, featureFlags: ['beta'] },
  ].map((type) => ({ ...type, deprecated: false, ...DATED }));
  const list = (items: readonly unknown[], url: URL) => {
    const { part, next } = pageOf(items, url.searchParams.get('iterator'));
    return { data: part, done: next === null, iterator: next };
  };
  return start((url) => {
    const [, , , kind, application = '', , id = '', detail] = url.pathname.split('/');
    if (kind === 'event-type') return list(types, url);
    if (kind !== 'app') return undefined;
    if (application === '') return list(applications, url);
    if (id === '') return list(endpoints[application] ?? [], url);
    return detailOf(id, detail);
  });
}

function detailOf(endpoint: string, detail: string | undefined): unknown {
  switch (detail) {
    case 'secret':
      return { key: endpoint === 'ep_6' ? 'whsk_private' : secretOf(endpoint) };
    case 'transformation':
      // For this endpoint, the API has no transformations.
      if (endpoint === 'ep_6') return undefined;
      return { code: endpoint === 'ep_2' ? 'function handler(webhook) {}' : null, enabled: endpoint === 'ep_2' };
    case 'headers':
      if (endpoint !== 'ep_1') return { headers: {}, sensitive: [] };
      return {
        headers: { 'X-Shop': 'shop-1', 'X-Api-Key': 'key-1', 'Content-Type': 'text/plain' },
        sensitive: ['X-Hidden'],
      };
    default:
      return undefined;
  }
}

export function startConvoy(signature: object = { header: 'X-Convoy-Signature', versions: [] }): Promise<PeerStub> {
  const secret = (name: string, more: object = {}) => ({
    uid: name,
    value: `secret-of-${name}`,
    created_at: '2026-01-01T00:00:00Z',
    ...more,
  });
  const soon = new Date(Date.now() + 3_600_000).toISOString();
  const endpoint = (uid: string, owner: string, more: object = {}) => ({
    uid,
    name: `Name of ${uid}`,
    url: `${RECEIVER}/${uid}`,
    owner_id: owner,
    status: 'active',
    secrets: [secret(uid)],
    advanced_signatures: false,
    ...more,
  });
  const endpoints = [
    endpoint('con_1', 'owner-a', {
      secrets: [secret('con_1', { expires_at: soon }), secret('con_1-new', { created_at: '2026-02-01T00:00:00Z' })],
      rate_limit: 10,
      rate_limit_duration: 60,
      http_timeout: 90,
    }),
    endpoint('con_2', 'owner-a', { status: 'paused', advanced_signatures: true }),
    endpoint('con_3', 'owner-b', {
      authentication: { type: 'api_key', api_key: { header_name: 'X-Api-Key', header_value: 'key-3' } },
    }),
    endpoint('con_4', 'owner-b', {
      authentication: { type: 'basic_auth', basic_auth: { username: 'u', password: 'p' } },
    }),
    endpoint('con_5', 'owner-c', { content_type: 'application/x-www-form-urlencoded' }),
    endpoint('con_6', 'owner-c', { mtls_client_cert: { client_cert: '…' } }),
    endpoint('con_7', ''),
  ];
  const subscriptions = endpoints.slice(0, 6).map(({ uid }, n) => ({
    uid: `sub_${uid}`,
    endpoint_metadata: { uid },
    filter_config: {
      event_types: n === 4 ? ['*'] : ['order.paid'],
      filter: n === 2 ? { body: { amount: { $gt: 5 } } } : { body: {}, headers: {} },
    },
    function: n === 3 ? 'function transform() {}' : '',
  }));
  const list = (items: readonly unknown[], url: URL) => {
    const { part, next } = pageOf(items, url.searchParams.get('next_page_cursor'));
    return {
      status: true,
      data: { content: part, pagination: { has_next_page: next !== null, next_page_cursor: next ?? '' } },
    };
  };
  return start((url) => {
    const [, , , project, kind] = url.pathname.split('/');
    if (project !== 'project-1') return undefined;
    if (kind === undefined) return { status: true, data: { config: { signature } } };
    if (kind === 'event-types') {
      return {
        status: true,
        data: [{ name: '*' }, { name: 'order.paid', description: 'Paid', json_schema: { type: 'object' } }],
      };
    }
    if (kind === 'subscriptions') return list(subscriptions, url);
    return kind === 'endpoints' ? list(endpoints, url) : undefined;
  });
}

export function startOutpost(): Promise<PeerStub> {
  const destination = (id: string, more: object = {}) => ({
    id,
    type: 'webhook',
    topics: ['order.paid'],
    disabled_at: null,
    config: { url: `${RECEIVER}/${id}` },
    credentials: { secret: `secret-of-${id}` },
    metadata: { team: 'platform' },
    created_at: AT,
    updated_at: AT,
    ...more,
  });
  const destinations: Record<string, object[]> = {
    'tenant-a': [
      destination('des_1', {
        credentials: { secret: 'secret-of-des_1-new', previous_secret: 'secret-of-des_1' },
        config: { url: `${RECEIVER}/des_1`, custom_headers: '{"x-shop":"shop-1","x-api-key":"key-1"}' },
      }),
      destination('des_2', { disabled_at: AT }),
      destination('des_3', { topics: '*' }),
    ],
    'tenant-b': [
      destination('des_4', { credentials: { secret: 'whs********' } }),
      destination('des_5', { filter: { data: { amount: { $gte: 5 } } } }),
    ],
    'tenant-c': [
      destination('des_6', {
        type: 'aws_sqs',
        config: { queue_url: 'https://sqs' },
        credentials: { key: 'k', secret: 's', session: '' },
      }),
      destination('des_7', { metadata: { a: '1', b: '2', c: '3' }, topics: ['order.*', '*.created'] }),
    ],
  };
  return start((url) => {
    const [, , , kind, tenant, below] = url.pathname.split('/');
    if (kind === 'topics') return ['order.paid', 'user.created'];
    if (kind !== 'tenants') return undefined;
    if (below === 'destinations') return destinations[tenant ?? ''];
    const { part, next } = pageOf(Object.keys(destinations), url.searchParams.get('next'));
    return { models: part.map((id) => ({ id, metadata: id === 'tenant-c' ? SIX_PAIRS : null })), pagination: { next } };
  });
}

export function startHook0(): Promise<PeerStub> {
  const uuid = (n: number) => `0000000${n}-0000-4000-8000-000000000000`;
  const subscriptions = [1, 2, 3, 4, 5, 6, 7].map((n) => ({
    subscription_id: uuid(n),
    application_id: 'application-1',
    event_types: n === 3 ? ['billing.invoice.paid', 'billing.invoice.sent'] : ['billing.invoice.paid'],
    is_enabled: n !== 2,
    labels: { customer: `customer-${n % 3}`, ...(n === 5 && { region: 'eu' }) },
    description: `Subscription ${n}`,
    metadata: {},
    label_key: 'customer',
    label_value: `customer-${n % 3}`,
    dedicated_workers: [],
    created_at: AT,
    updated_at: AT,
    secret: uuid(n).replace('8000', '9000'),
    target: {
      type: 'http',
      method: n === 6 ? 'PUT' : 'POST',
      url: `${RECEIVER}/hook0-${n}`,
      headers: n === 1 ? { 'x-shop': 'shop-1', authorization: 'Bearer key-1' } : {},
    },
  }));
  const types = ['billing.invoice.paid', 'billing.invoice.sent'].map((event_type_name) => {
    const [service_name, resource_type_name, verb_name] = event_type_name.split('.');
    return { event_type_name, service_name, resource_type_name, verb_name };
  });
  return start((url) => {
    if (url.searchParams.get('application_id') !== 'application-1') return undefined;
    if (url.pathname === '/api/v1/event_types/') return types;
    return url.pathname === '/api/v1/subscriptions/' ? subscriptions : undefined;
  });
}
