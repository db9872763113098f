import {
  chosenTypes,
  configOf,
  emptyFound,
  eventTypeName,
  type Found,
  type FoundSecret,
  rateLimitOf,
} from '../found.ts';
import { MOST_PAGES, type PeerApi } from '../peer-api.ts';

type Page<Item> = { data: { content: Item[]; pagination: { has_next_page: boolean; next_page_cursor: string } } };
type Secret = { value: string; created_at?: string; expires_at?: string | null; deleted_at?: string | null };
type Endpoint = {
  uid: string;
  name: string;
  url: string;
  description?: string;
  owner_id?: string;
  status: string;
  secrets: Secret[];
  advanced_signatures?: boolean;
  content_type?: string;
  rate_limit?: number;
  rate_limit_duration?: number;
  http_timeout?: number;
  mtls_client_cert?: object | null;
  authentication?: {
    type?: string;
    api_key?: { header_name: string; header_value: string } | null;
    basic_auth?: { username: string; password: string } | null;
  } | null;
};
type Subscription = {
  uid: string;
  endpoint_metadata?: { uid: string } | null;
  filter_config?: { event_types?: string[]; filter?: Record<string, unknown> } | null;
  function?: string | null;
};
type EventType = {
  name: string;
  description?: string;
  json_schema?: Record<string, unknown> | null;
  deprecated_at?: string | null;
};
type Project = {
  config?: { signature?: { header?: string; versions?: { hash: string; encoding: string }[] } | null } | null;
};

/** A project of Convoy. The owner of an endpoint becomes its application. */
export async function readConvoy(api: PeerApi, project: string, now: Date): Promise<Found> {
  const found = emptyFound('convoy');
  const path = `v1/projects/${encodeURIComponent(project)}`;
  const { data } = (await api.get(path)) as { data: Project };
  const types = (await api.get(`${path}/event-types`)) as { data: EventType[] };
  for (const type of types.data ?? []) readEventType(type, found);
  const subscriptions = new Map<string, Subscription[]>();
  for await (const one of pages<Subscription>(api, `${path}/subscriptions`)) {
    const of = one.endpoint_metadata?.uid ?? '';
    subscriptions.set(of, [...(subscriptions.get(of) ?? []), one]);
  }
  const owners = new Set<string>();
  for await (const endpoint of pages<Endpoint>(api, `${path}/endpoints`)) {
    if (endpoint.owner_id) owners.add(endpoint.owner_id);
    readEndpoint(endpoint, { project: data, subscriptions: subscriptions.get(endpoint.uid) ?? [], now }, found);
  }
  found.applications = [...owners].map((owner) => ({ externalId: owner, name: owner }));
  return found;
}

function readEventType({ name: given, description, json_schema: schema }: EventType, found: Found): void {
  // Every project has the type `*`, which stands for all.
  if (given === '*') return;
  const name = eventTypeName(given);
  const isObject = typeof schema === 'object' && schema !== null && Object.keys(schema).length > 0;
  found.eventTypes.push({ name, ...(description && { description }), ...(isObject && { schema }) });
  if (name !== given) found.left.push({ kind: 'event type', name: given, why: `is called ${name} here` });
}

type EndpointContext = { project: Project; subscriptions: readonly Subscription[]; now: Date };

function readEndpoint(endpoint: Endpoint, { project, subscriptions, now }: EndpointContext, found: Found): void {
  const leave = (why: string) => found.left.push({ kind: 'endpoint', name: endpoint.uid, why });
  const { authentication: auth } = endpoint;
  if (endpoint.content_type && endpoint.content_type !== 'application/json')
    leave(`its content type ${endpoint.content_type} is not carried: payloads arrive as they are sent`);
  if (endpoint.mtls_client_cert)
    leave('its client certificate is not shown: set config.tls and the credentials yourself');
  if (auth?.type === 'oauth2')
    leave('its OAuth 2 client secret is not shown: set config.oauth2 and the credentials yourself');
  for (const one of subscriptions) {
    if (one.function) leave(`the function of the subscription ${one.uid} is not carried: write a transformation`);
    if (hasFilter(one)) leave(`the filter of the subscription ${one.uid} has another language: write it again`);
  }
  if (subscriptions.length === 0) leave('it has no subscription: it is not subscribed to anything here');
  const limits = limitsOf(endpoint);
  const { signature, lost } = signatureOf(endpoint, project);
  for (const why of [...limits.lost, ...lost]) leave(why);
  const names = subscriptions.flatMap((one) => one.filter_config?.event_types ?? ['*']);
  found.endpoints.push({
    id: endpoint.uid,
    externalId: endpoint.uid,
    application: endpoint.owner_id || null,
    url: endpoint.url,
    description: endpoint.description || endpoint.name,
    isActive: endpoint.status === 'active',
    eventTypes: subscriptions.length === 0 ? [] : chosenTypes(names),
    // Standard Webhooks take no secret of Convoy.
    secrets: signature === undefined ? [] : secretsOf(endpoint.secrets, now),
    config: configOf(signature, {}, limits.config),
    secretHeaders: auth?.api_key ? { [auth.api_key.header_name]: auth.api_key.header_value } : {},
    ...(auth?.basic_auth && { authUsername: auth.basic_auth.username, authPassword: auth.basic_auth.password }),
    metadata: {},
  });
}

function hasFilter({ filter_config: config }: Subscription): boolean {
  const parts = ['body', 'headers', 'query', 'path'].map((part) => config?.filter?.[part]);
  return parts.some((part) => typeof part === 'object' && part !== null && Object.keys(part).length > 0);
}

/** The secrets that are still valid, oldest first. Posthorn signs with at most three. */
function secretsOf(secrets: readonly Secret[] | undefined, now: Date): FoundSecret[] {
  const isEnd = (time: string | null | undefined) => typeof time === 'string' && Date.parse(time) > 0;
  return (secrets ?? [])
    .filter(
      (one) => !isEnd(one.deleted_at) && (!isEnd(one.expires_at) || Date.parse(one.expires_at ?? '') > now.getTime()),
    )
    .sort((one, other) => Date.parse(one.created_at ?? '') - Date.parse(other.created_at ?? ''))
    .slice(-3)
    .map(({ value, expires_at: endsAt }) => ({ value, ...(isEnd(endsAt) && { endsAt: endsAt ?? '' }) }));
}

/** A project may have a header, a hash and an encoding of its own. */
function signatureOf(
  { advanced_signatures: isAdvanced }: Endpoint,
  { config }: Project,
): { signature?: unknown; lost: string[] } {
  const header = config?.signature?.header ?? 'X-Convoy-Signature';
  const { hash = 'SHA256', encoding = 'hex' } = config?.signature?.versions?.at(-1) ?? {};
  const isUsual = header.toLowerCase() === 'x-convoy-signature' && hash === 'SHA256' && encoding === 'hex';
  if (isUsual) return { signature: isAdvanced ? 'convoy-advanced' : 'convoy', lost: [] };
  if (isAdvanced) {
    // They sign `<timestamp>,<body>`, which no signature of your own form here does.
    const own = `${header}, ${hash}, ${encoding}`;
    const instead = 'it gets a new secret, with which its receiver must verify Standard Webhooks';
    return { lost: [`its advanced signature (${own}) is not carried: ${instead}`] };
  }
  const algorithm = hash.toLowerCase().replaceAll('-', '');
  return {
    signature: { scheme: 'hmac', header, algorithm, encoding: encoding === 'hex' ? 'hex' : 'base64' },
    lost: [],
  };
}

const LONGEST_TIMEOUT_SECONDS = 30;

function limitsOf(endpoint: Endpoint): { config: object; lost: string[] } {
  const { config, lost } = rateLimitOf(endpoint.rate_limit, endpoint.rate_limit_duration);
  const { http_timeout: seconds } = endpoint;
  if (!seconds) return { config, lost };
  const timeoutSeconds = Math.max(1, Math.min(LONGEST_TIMEOUT_SECONDS, seconds));
  if (seconds > timeoutSeconds) lost.push(`its timeout of ${seconds} s becomes ${timeoutSeconds} s`);
  return { config: { ...config, timeoutSeconds }, lost };
}

async function* pages<Item>(api: PeerApi, path: string): AsyncGenerator<Item> {
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { data } = (await api.get(path, {
      perPage: '100',
      direction: 'next',
      next_page_cursor: cursor,
    })) as Page<Item>;
    yield* data.content ?? [];
    if (data.pagination?.has_next_page !== true) return;
    cursor = data.pagination.next_page_cursor;
  }
}
