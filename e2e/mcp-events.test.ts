import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { fromId } from '@posthorn/contract/ids';
import { OPERATIONAL_EVENTS } from '@posthorn/contract/operational-events';
import { Prisma } from '@posthorn/db/generated/client';
import { inTransaction } from '@posthorn/db/transaction';
import { type ApiClient, createApiClient } from '@posthorn/testkit/api-client';
import { type ReceivedRequest, type Receiver, type ReceiverAnswer, startReceiver } from '@posthorn/testkit/receiver';
import { waitFor } from '@posthorn/testkit/wait-for';
import { Webhook } from 'standardwebhooks';
import { type Services, startServices } from './services-in-process.ts';

// Tests agents that subscribe over MCP, with the official client, a real callback and the production services.

let services: Services;
let receiver: Receiver;
let client: ApiClient;
let acme: { applicationId: string; key: string; keyId: string };

const SCHEMA = {
  type: 'object',
  properties: {
    order: {
      type: 'object',
      properties: { country: { enum: ['DE', 'FR'], description: 'Where it goes.' }, total: { type: 'number' } },
    },
    note: { type: ['string', 'null'] },
  },
};

beforeAll(async () => {
  receiver = await startReceiver();
  services = await startServices({ settings: { MCP_EVENTS: 'true' } });
  client = createApiClient({ ...services, baseUrl: services.api.url });
  const type = { name: 'order.shipped', description: 'An order has left.', schema: SCHEMA };
  await client.call('POST', '/event-types', { ...type, publishIn: [services.environmentId] });
  await client.call('POST', '/event-types', { name: 'order.secret' });
  expect((await client.call('PUT', agents(), { enabled: true })).status).toBe(200);
}, 120_000);
afterAll(async () => {
  await services?.stop();
  await receiver?.close();
}, 60_000);
// Each test has a new agent, because an agent can make only ten challenges in a minute.
beforeEach(async () => {
  receiver.respondWith(echo);
  acme = await newCustomer('Acme');
});

const environmentKey = () => fromId('env', services.environmentId) ?? '';
const agents = () => `/environments/${services.environmentId}/agents`;

async function newCustomer(name: string) {
  const { body } = await client.call<{ id: string }>('POST', '/applications', { name });
  return { applicationId: body.id, ...(await newKey(`agent of ${name}`, body.id)) };
}

/** Makes a key for an application, or for the workspace. */
async function newKey(name: string, applicationId?: string) {
  const made = await client.call<{ id: string; key: string }>('POST', '/agent-keys', {
    name,
    environmentId: services.environmentId,
    ...(applicationId === undefined ? {} : { applicationId }),
  });
  expect(made.status).toBe(201);
  return { key: made.body.key, keyId: made.body.id };
}

/** A callback that echoes challenges and accepts every event. */
function echo(request: ReceivedRequest): ReceiverAnswer {
  const { type, challenge } = JSON.parse(request.body.toString()) as { type?: string; challenge?: string };
  return type === 'verification' ? { body: JSON.stringify({ challenge }) } : {};
}

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
let callbacks = 0;
const newCallback = () => {
  callbacks += 1;
  return new URL(`/in/${callbacks}`, receiver.url).href;
};
const pathOf = (url: string) => new URL(url).pathname;
const requestsAt = (url: string) => receiver.requests.filter((request) => request.url === pathOf(url));
const eventsAt = (url: string) =>
  requestsAt(url).filter(({ body }) => JSON.parse(body.toString()).eventId !== undefined);

type Era = 'modern' | 'legacy';
/** A schema that accepts every response unchanged. */
const ANY = { '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) } } as const;

/** Makes a call with the official client, in a certain version of the protocol. */
async function ask(
  method: string,
  params: object,
  {
    key = acme.key,
    era = 'modern',
    knowsExtension = false,
  }: { key?: string; era?: Era; knowsExtension?: boolean } = {},
) {
  const extensions: Record<string, Record<string, string>> = knowsExtension
    ? { 'io.modelcontextprotocol/events': {} }
    : {};
  const agent = new Client(
    { name: 'test agent', version: '1.0.0' },
    { capabilities: { extensions }, ...(era === 'modern' && { versionNegotiation: { mode: { pin: '2026-07-28' } } }) },
  );
  const url = new URL(`/mcp/events/${services.environmentId}`, services.api.url);
  const headers = { authorization: `Bearer ${key}` };
  await agent.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  try {
    return {
      result: (await agent.request({ method, params: { ...params } }, ANY)) as Record<string, unknown>,
    };
  } catch (error) {
    // For an error response with an HTTP status, the client throws the body that it has read.
    const [read] = /\{.*\}$/s.exec(String(error)) ?? [];
    const { code, data } = (read === undefined ? error : JSON.parse(read).error) as { code: number; data?: unknown };
    if (typeof code !== 'number') throw error;
    return { error: { code, data } };
  } finally {
    await agent.close();
  }
}

/** Like `ask`, but tries again while the service is busy: a change of a workspace waits at most 5 s for its turn. */
const askUntilTaken = (...given: Parameters<typeof ask>) =>
  waitFor(
    async () => {
      const answer = await ask(...given);
      return answer.error?.code === -32_603 ? undefined : answer;
    },
    { what: 'the service to take it' },
  );

const subscribeParams = (url: string, given: object = {}) => ({
  name: 'order.shipped',
  delivery: { mode: 'webhook', url, secret: newSecret() },
  ...given,
});

async function send(data: unknown, applicationId: string | undefined = acme.applicationId) {
  const sent = await client.call<{ id: string }>('POST', '/events', {
    eventType: 'order.shipped',
    applicationId,
    data,
  });
  expect(sent.status).toBe(202);
  return sent.body.id;
}

type Termination = { type: string; error: { code: number; data: object } };
const terminationsAt = (url: string) =>
  requestsAt(url).flatMap((request) => {
    const body = JSON.parse(request.body.toString()) as Termination;
    return body.type === 'terminated' ? [{ request, error: body.error }] : [];
  });
/** Waits until every callback was told of the ends of its subscriptions. Makes failed tries due at once. */
const allTold = () =>
  waitFor(
    async () => {
      await services.db.$executeRaw`update outgoing_termination set due_at = now() where claim is null`;
      return (await services.db.outgoingTermination.count()) === 0;
    },
    { what: 'the ends to be told' },
  );

const subscriptionOf = async (id: string) =>
  (await client.call<Record<string, unknown>>('GET', `/agent-subscriptions/${id}`)).body;
const deliveriesOf = async (endpointId: unknown) =>
  (
    await client.call<{
      deliveries: { eventId: string; status: string; failureReason: string; totalAttempts: number }[];
    }>('GET', `/deliveries?endpoint_id=${endpointId}`)
  ).body.deliveries;
const endedDelivery = (endpointId: unknown, eventId: string) =>
  waitFor(
    async () =>
      (await deliveriesOf(endpointId)).find(
        (one) => one.eventId === eventId && one.status !== 'pending' && one.status !== 'delivering',
      ),
    { what: 'the delivery to end' },
  );

describe.each(['modern', 'legacy'] as const)('in the %s era', (era) => {
  test('an agent lists events, subscribes, gets them signed, refreshes with a new secret, and unsubscribes', async () => {
    const listed = await ask('events/list', {}, { era });
    expect(listed.result).toMatchObject({
      events: [{ name: 'order.shipped', delivery: ['webhook'], payloadSchema: SCHEMA }],
    });
    const [event] = (listed.result?.events ?? []) as { inputSchema: { properties: Record<string, object> } }[];
    expect(Object.keys(event?.inputSchema.properties ?? {})).toEqual(['order.country', 'order.total', 'note']);

    const url = newCallback();
    const params = subscribeParams(url, { ttlMs: 3_600_000, cursor: null });
    const made = await ask('events/subscribe', params, { era });
    expect(made.result).toMatchObject({
      id: expect.stringMatching(/^mcs_[0-9a-z]{26}$/),
      cursor: null,
      truncated: false,
    });
    const leftMs = Date.parse(String(made.result?.refreshBefore)) - Date.now();
    expect(leftMs).toBeGreaterThan(3_500_000);
    expect(leftMs).toBeLessThanOrEqual(3_600_000);
    const [challenge] = requestsAt(url);
    expect(challenge?.headers['x-mcp-subscription-id']).toBe(made.result?.id);
    expect(challenge?.headers['webhook-id']).toMatch(/^msg_verification_/);
    verify(challenge, params.delivery.secret);

    const eventId = await send({ order: { country: 'DE', total: 3 } });
    const [request] = await waitFor(() => (eventsAt(url).length > 0 ? eventsAt(url) : undefined), {
      what: 'the event',
    });
    expect(request?.headers['webhook-id']).toBe(eventId);
    expect(request?.headers['x-mcp-subscription-id']).toBe(made.result?.id);
    expect(request?.body.toString()).toMatch(/"data":\{"order":\{"country":"DE","total":3\}\},"cursor":null\}$/);
    expect(verify(request, params.delivery.secret)).toMatchObject({ eventId, name: 'order.shipped' });

    const delivery = { ...params.delivery, secret: newSecret() };
    const refreshed = await ask('events/subscribe', { ...params, delivery }, { era });
    expect(refreshed.result).toMatchObject({
      id: made.result?.id,
      deliveryStatus: { active: true, lastDeliveryAt: expect.any(String), lastError: null },
    });
    expect(requestsAt(url).filter(({ body }) => body.includes('verification'))).toHaveLength(1);
    await send({ order: { country: 'FR', total: 4 } });
    await waitFor(() => eventsAt(url).length === 2, { what: 'the second event' });
    for (const { secret } of [params.delivery, delivery]) verify(eventsAt(url)[1], secret);

    const { name, delivery: callback } = params;
    expect((await ask('events/unsubscribe', { name, delivery: callback }, { era })).error).toBeUndefined();
    expect(await subscriptionOf(String(made.result?.id))).toMatchObject({ status: 'ended', endReason: 'unsubscribed' });
    await send({ order: {} });
    const again = await ask('events/unsubscribe', { name, delivery: callback }, { era });
    expect(again.error).toBeUndefined();
    expect(eventsAt(url)).toHaveLength(2);
  }, 60_000);
});

function verify(request: ReceivedRequest | undefined, secret: string): unknown {
  return new Webhook(secret).verify(request?.body.toString() ?? '', request?.headers as Record<string, string>);
}

test.each([
  ['initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }, {}],
  ['server/discover', {}, { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'server/discover' }],
])('%s tells of events by both names that clients look for', async (method, given, modern) => {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = method === 'initialize' ? given : { _meta };
  const answer = await fetch(`${services.api.url}/mcp/events/${services.environmentId}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${acme.key}`, ...modern },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  expect(answer.headers.get('content-type')).toContain('application/json');
  expect(await answer.json()).toMatchObject({
    result: { capabilities: { tools: {}, events: {}, extensions: { 'io.modelcontextprotocol/events': {} } } },
  });
});

describe('who may subscribe', () => {
  const post = (headers: Record<string, string>, environmentId = services.environmentId, query = '') =>
    fetch(`${services.api.url}/mcp/events/${environmentId}${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'events/list', params: {} }),
    });

  test('only an agent key of the environment, in the header, and never a page of another site', async () => {
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
    expect((await post(bearer(acme.key))).status).toBe(200);
    expect((await post({})).status).toBe(401);
    const refused = await post(bearer(services.managementToken));
    expect([refused.status, await refused.text()]).toEqual([401, expect.stringContaining('an agent key (pha_')]);
    expect((await post(bearer(acme.key), services.environmentId, `?token=${acme.key}`)).status).toBe(401);
    expect((await post({ ...bearer(acme.key), origin: 'https://evil.test' })).status).toBe(403);
    const other = await client.call<{ id: string }>('POST', '/environments', { name: 'Other', slug: 'other' });
    expect((await post(bearer(acme.key), other.body.id)).status).toBe(404);
    expect((await fetch(`${services.api.url}/mcp/events/${services.environmentId}`)).status).toBe(405);
  });

  test('a customer gets only its own events, and sees only what is published', async () => {
    const [url, other] = [newCallback(), await newCustomer('Other')];
    expect((await ask('events/subscribe', subscribeParams(url))).result).toBeDefined();
    await send({ order: {} }, other.applicationId);
    const mine = await send({ order: {} });
    await waitFor(() => eventsAt(url).length > 0, { what: 'the own event' });
    expect(eventsAt(url).map(({ headers }) => headers['webhook-id'])).toEqual([mine]);
    const hidden = await ask('events/subscribe', subscribeParams(newCallback(), { name: 'order.secret' }));
    expect(hidden.error).toEqual({ code: -32_011, data: { kind: 'event' } });
  });

  test('the deletion of a key ends what was subscribed with it, and a person ends one subscription', async () => {
    const customer = await newCustomer('Leaver');
    const [first, second] = [newCallback(), newCallback()];
    const one = await ask('events/subscribe', subscribeParams(first), { key: customer.key });
    const two = await ask('events/subscribe', subscribeParams(second), { key: customer.key });
    expect((await client.call('DELETE', `/agent-subscriptions/${one.result?.id}`)).status).toBe(204);
    expect(await subscriptionOf(String(one.result?.id))).toMatchObject({ status: 'ended', endReason: 'person' });
    expect((await client.call('DELETE', `/agent-keys/${customer.keyId}`)).status).toBe(204);
    const ended = await subscriptionOf(String(two.result?.id));
    expect(ended).toMatchObject({ status: 'ended', endReason: 'key_revoked', principal: { kind: 'key', name: null } });
    await send({ order: {} }, customer.applicationId);
    expect(await deliveriesOf(ended.endpointId)).toEqual([]);
  });
});

describe('errors', () => {
  test('each refusal has the code of the dialect that the agent speaks, and leaves nothing behind', async () => {
    const url = newCallback();
    const delivery = subscribeParams(url).delivery;
    const cases: [object, number, number, object][] = [
      [{ delivery: { ...delivery, secret: 'whsec_short' } }, -32_602, -32_602, { field: 'delivery.secret' }],
      [{ delivery: { ...delivery, url: 'http://agent.test/' } }, -32_602, -32_602, { field: 'delivery.url' }],
      [{ delivery: { ...delivery, url: 'https://10.0.0.1/' } }, -32_602, -32_602, { field: 'delivery.url' }],
      [{ arguments: { nothing: 1 } }, -32_602, -32_602, { field: 'arguments.nothing' }],
      [{ arguments: { 'order.country': 'IT' } }, -32_602, -32_602, { field: 'arguments.order.country' }],
      [{ ttlMs: 0 }, -32_602, -32_602, { field: 'ttlMs' }],
      [{ name: 'order.unknown' }, -32_011, -32_023, { kind: 'event' }],
      [{ delivery: { ...delivery, mode: 'push' } }, -32_014, -32_026, { feature: 'deliveryMode', value: 'push' }],
    ];
    for (const [given, sketch, sep, data] of cases) {
      const params = subscribeParams(url, { delivery, ...given });
      expect((await ask('events/subscribe', params)).error).toEqual({ code: sketch, data });
      expect((await ask('events/subscribe', params, { knowsExtension: true })).error).toEqual({ code: sep, data });
    }
    const { name } = subscribeParams(url);
    const unknown = await ask('events/unsubscribe', { name, delivery }, { knowsExtension: true });
    expect(unknown.error).toEqual({ code: -32_023, data: { kind: 'subscription' } });
    expect((await ask('events/poll', {})).error).toMatchObject({ code: -32_601 });
    expect(requestsAt(url)).toEqual([]);
  }, 60_000);

  const hostile: [string, (request: ReceivedRequest) => ReceiverAnswer][] = [
    ['http_4xx', () => ({ status: 404, body: 'SECRET WORDS' })],
    ['http_4xx', () => ({ status: 302, headers: { location: '/elsewhere' } })],
    ['http_5xx', () => ({ status: 500 })],
    ['challenge_failed', () => ({ body: JSON.stringify({ challenge: 'another' }) })],
    [
      'challenge_failed',
      (request) => ({ body: JSON.stringify({ ...JSON.parse(`${request.body}`), x: ' '.repeat(5_000) }) }),
    ],
    ['connection_refused', () => ({ raw: ({ reset }) => reset() })],
  ];
  test.each(hostile)(
    'a callback that does not echo the challenge is %s, and nothing is activated',
    async (reason, answer) => {
      const [url, customer] = [newCallback(), await newCustomer(`Hostile ${callbacks}`)];
      receiver.respondWith(answer);
      const refused = await ask('events/subscribe', subscribeParams(url), { key: customer.key });
      expect(refused.error).toEqual({ code: -32_015, data: { reason } });
      const listed = await client.call('GET', `/agent-subscriptions?application_id=${customer.applicationId}`);
      expect(listed.body).toEqual({ agentSubscriptions: [], nextCursor: null });
      // After a reset, a kept connection is replaced once.
      expect(new Set(requestsAt(url).map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    },
  );
});

describe('deliveries', () => {
  const subscribed = async (given: object = {}) => {
    const url = newCallback();
    const made = await ask('events/subscribe', subscribeParams(url, given));
    expect(made.error).toBeUndefined();
    const id = String(made.result?.id);
    return { url, id, endpointId: (await subscriptionOf(id)).endpointId };
  };

  test('arguments are a filter', async () => {
    const { url } = await subscribed({ arguments: { 'order.country': ['DE'], 'order.total': { gte: 10 } } });
    await send({ order: { country: 'FR', total: 20 } });
    await send({ order: { country: 'DE', total: 5 } });
    const fits = await send({ order: { country: 'DE', total: 10 } });
    await waitFor(() => eventsAt(url).length > 0, { what: 'the event that fits' });
    expect(eventsAt(url).map(({ headers }) => headers['webhook-id'])).toEqual([fits]);
  });

  test.each([
    [410, 'gone'],
    [413, 'message_too_large'],
  ])('%i is final for the event alone', async (status, failureReason) => {
    const { id, endpointId, url } = await subscribed();
    receiver.respondWith(() => ({ status }));
    const delivery = await endedDelivery(endpointId, await send({ order: {} }));
    expect(delivery).toMatchObject({ status: 'failed', failureReason, totalAttempts: 1 });
    expect(await subscriptionOf(id)).toMatchObject({ status: 'active' });
    receiver.respondWith(echo);
    await send({ order: {} });
    await waitFor(() => eventsAt(url).length === 2, { what: 'the next event' });
  });

  test('`webhook-delivery: disable` ends the subscription', async () => {
    const { id } = await subscribed();
    receiver.respondWith(() => ({ status: 500, headers: { 'webhook-delivery': 'disable' } }));
    await send({ order: {} });
    await waitFor(async () => (await subscriptionOf(id)).endReason === 'receiver', { what: 'the end' });
  });

  test('a payload that is no object is not sent, and the delivery says why', async () => {
    const { endpointId, url } = await subscribed();
    const delivery = await endedDelivery(endpointId, await send([1, 2]));
    expect(delivery).toMatchObject({ status: 'failed', failureReason: 'invalid_payload', totalAttempts: 0 });
    expect(eventsAt(url)).toEqual([]);
  });

  test('after its expiry nothing is sent, a waiting retry included, and the same subscribe makes a new one with the same id', async () => {
    const url = newCallback();
    const params = subscribeParams(url);
    const made = await ask('events/subscribe', params);
    const id = String(made.result?.id);
    const { endpointId } = await subscriptionOf(id);
    receiver.respondWith(() => ({ status: 500 }));
    const waiting = await send({ order: {} });
    await waitFor(() => eventsAt(url).length === 1, { what: 'the first attempt' });
    await services.db.$executeRaw`update agent_subscription set expires_at = now() where identity = ${id}`;
    expect(await subscriptionOf(id)).toMatchObject({ status: 'ended', endReason: 'expired' });
    const ended = await waitFor(
      async () => (await deliveriesOf(endpointId)).find((one) => one.eventId === waiting && one.status === 'failed'),
      { what: 'the retry to be ended' },
    );
    expect(ended).toMatchObject({ failureReason: 'subscription_ended', totalAttempts: 1 });
    expect(eventsAt(url)).toHaveLength(1);
    receiver.respondWith(echo);
    const again = await ask('events/subscribe', params);
    expect(again.result).toMatchObject({ id });
    expect(again.result).not.toHaveProperty('deliveryStatus');
    // The callback has passed the challenge within the last day, so it gets no other.
    expect(requestsAt(url).filter(({ body }) => body.includes('verification'))).toHaveLength(1);
    expect((await subscriptionOf(id)).endpointId).not.toBe(endpointId);
    await send({ order: {} });
    await waitFor(() => eventsAt(url).length === 2, { what: 'the next event' });
  }, 60_000);

  test('no request is seen at or after the expiry, while events and retries go on', async () => {
    const customers = await Promise.all([1, 2, 3].map((n) => newCustomer(`Lapsing ${n}`)));
    const urls: string[] = [];
    for (const { key } of customers) {
      for (let n = 0; n < 4; n += 1) {
        const url = newCallback();
        expect((await ask('events/subscribe', subscribeParams(url), { key })).error).toBeUndefined();
        urls.push(url);
      }
    }
    // Each attempt fails late, so that the expiry meets retries, attempts under way and new events.
    let answered = 0;
    receiver.respondWith(() => {
      answered += 1;
      return { status: 500, delayMs: (answered % 5) * 100 };
    });
    const mine = urls.map(pathOf);
    const seenNow = () =>
      receiver.requests.filter((request) => mine.includes(request.url) && !request.body.includes('verification'));
    let isOver = false;
    const sending = (async () => {
      while (!isOver) await Promise.all(customers.map(({ applicationId }) => send({ order: {} }, applicationId)));
    })();
    await waitFor(() => seenNow().length >= 40, { what: 'the first attempts', timeoutMs: 60_000 });
    const [row] = await services.db.$queryRaw<{ at: Date }[]>`select now() + interval '3 seconds' as at`;
    const expiresAt = row?.at ?? new Date(0);
    await services.db.$executeRaw`update agent_subscription set expires_at = ${expiresAt} where url = any(${urls})`;
    const endpointIds = (await services.db.agentSubscription.findMany({ where: { url: { in: urls } } })).map(
      ({ endpointId }) => endpointId,
    );
    await waitFor(() => Date.now() > expiresAt.getTime() + 1_000, { what: 'a second after the expiry' });
    isOver = true;
    await sending;
    const openCount = () =>
      services.db.delivery.count({ where: { endpointId: { in: endpointIds }, dueAt: { not: null } } });
    await waitFor(async () => (await openCount()) === 0, { what: 'every delivery to end', timeoutMs: 60_000 });
    const seen = seenNow();
    expect(seen.filter(({ at }) => at.getTime() >= expiresAt.getTime())).toEqual([]);
    // The expiry ended some deliveries during an attempt, and the rest without one.
    expect(
      await services.db.delivery.count({
        where: { endpointId: { in: endpointIds }, failureReason: { not: 'subscription_ended' } },
      }),
    ).toBe(0);
  }, 120_000);

  test('two equal first calls at once make one subscription, with the same answer', async () => {
    const params = subscribeParams(newCallback());
    const answers = await Promise.all([1, 2, 3].map(() => ask('events/subscribe', params)));
    expect(new Set(answers.map(({ result }) => result?.id)).size).toBe(1);
    expect(answers[0]?.result?.id).toBeDefined();
    const id = String(answers[0]?.result?.id);
    expect(await services.db.agentSubscription.count({ where: { identity: id } })).toBe(1);
  });
});

test('new subscriptions of an environment are made one after another: none holds what another needs', async () => {
  const url = newCallback();
  const noted = (note: string) => subscribeParams(url, { arguments: { note } });
  // One agent of a customer can change something at a time, but two agents of the workspace can.
  const { key } = await newKey('agent of the workspace');
  const subscribe = (note: string) => askUntilTaken('events/subscribe', noted(note), { key });
  expect((await subscribe('first')).error).toBeUndefined();
  const made = await Promise.all(Array.from({ length: 20 }, (_, n) => subscribe(`note ${n}`)));
  expect(made.map(({ error }) => error)).toEqual(made.map(() => undefined));

  const waitsForRow = async () => {
    const rows = await services.db.$queryRaw<unknown[]>`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and wait_event in ('tuple', 'transactionid')`;
    return rows.length > 0;
  };
  const second = await inTransaction(services.db, async (transaction) => {
    const hold = (lock: string) =>
      transaction.$queryRaw`select 1 from environment where id = ${environmentKey()}::uuid for ${Prisma.raw(lock)}`;
    await hold('share');
    const waiting = subscribe('waits');
    await waitFor(waitsForRow, { what: 'the subscribe to wait' });
    await hold('no key update nowait');
    return { waiting };
  });
  expect((await second.waiting).error).toBeUndefined();
}, 60_000);

test('an agent spends no change of the portal, and without a change left it refreshes and unsubscribes', async () => {
  const params = subscribeParams(newCallback());
  expect((await ask('events/subscribe', params)).error).toBeUndefined();
  const [holderId, day] = [fromId('agk', acme.keyId) ?? '', new Date(new Date().toISOString().slice(0, 10))];
  expect(await services.db.changeCount.findMany({ where: { holderId } })).toMatchObject([{ changes: 1 }]);
  const applicationId = fromId('app', acme.applicationId) ?? '';
  expect(await services.db.changeCount.count({ where: { holderId: applicationId } })).toBe(0);
  await services.db.changeCount.updateMany({ where: { holderId, day }, data: { changes: 1_000 } });
  const refused = await ask('events/subscribe', { ...params, arguments: { note: 'another' } });
  expect(refused.error).toEqual({ code: -32_013, data: { limit: 'rate' } });
  const delivery = { ...params.delivery, secret: newSecret() };
  const refreshed = await ask('events/subscribe', { ...params, delivery });
  expect(refreshed.result).toHaveProperty('deliveryStatus');
  expect((await ask('events/unsubscribe', { name: params.name, delivery })).error).toBeUndefined();
  expect(await subscriptionOf(String(refreshed.result?.id))).toMatchObject({ status: 'ended' });
});

test('refreshes wait neither for one another nor for changes of their workspace', async () => {
  const params = subscribeParams(newCallback());
  expect((await ask('events/subscribe', params)).result).toBeDefined();
  let changes: Promise<unknown>[] = [];
  await inTransaction(
    services.db,
    async (transaction) => {
      await transaction.$queryRaw`select 1 from environment for update`;
      changes = [1, 2, 3].map(() => client.call('PUT', agents(), { enabled: true }));
      await waitFor(
        async () => {
          const [row] = await services.db.$queryRaw<{ waiting: number }[]>`select count(*)::int as waiting
            from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
          return (row?.waiting ?? 0) >= 2;
        },
        { what: 'the changes to hold every turn of their workspace' },
      );
      const answers = await Promise.all(Array.from({ length: 40 }, () => ask('events/subscribe', params)));
      expect(answers.filter(({ result }) => result?.deliveryStatus === undefined)).toEqual([]);
    },
    { timeoutMs: 50_000 },
  );
  await Promise.all(changes);
});

test('two tools tell an agent of its own subscriptions and events, and of nobody else’s', async () => {
  const other = await newCustomer('Other agent');
  const url = newCallback();
  const made = await ask('events/subscribe', subscribeParams(url, { arguments: { note: 'for me' } }));
  const eventId = await send({ note: 'for me', order: {} });
  await waitFor(() => eventsAt(url).length > 0, { what: 'the event' });
  const call = async (name: string, given: object = {}, key = acme.key) =>
    (await ask('tools/call', { name, arguments: given }, { key })).result as {
      structuredContent: object;
      isError?: boolean;
    };
  expect((await ask('tools/list', {})).result).toMatchObject({
    tools: [{ name: 'my_subscriptions' }, { name: 'recent_events' }],
  });
  const mine = await call('my_subscriptions');
  expect(mine.structuredContent).toMatchObject({
    subscriptions: [{ id: made.result?.id, name: 'order.shipped' }],
    untrusted: { [String(made.result?.id)]: { arguments: { note: 'for me' }, url } },
  });
  const recent = await call('recent_events', { event_id: eventId });
  expect(recent.structuredContent).toMatchObject({
    events: [{ event_id: eventId, name: 'order.shipped', status: 'delivered' }],
    untrusted: { data: { [eventId]: expect.stringContaining('for me') } },
  });
  expect((await call('recent_events', {}, other.key)).structuredContent).toMatchObject({ events: [] });
  const large = await send({ note: 'for me', order: {}, filler: 'x'.repeat(20_000) });
  await waitFor(() => eventsAt(url).length === 2, { what: 'the large event' });
  const both = (await call('recent_events', { name: 'order.shipped', limit: 50 })).structuredContent;
  expect(both).toMatchObject({ events: [{ event_id: large, data: 'too_large' }, { event_id: eventId }] });
  expect(both).toHaveProperty('untrusted.data', { [eventId]: expect.stringContaining('for me') });
  for (const given of [{ name: 'order.other' }, { event_id: 'msg_nothing' }])
    expect((await call('recent_events', given)).structuredContent).toMatchObject({ events: [] });
  const first = await call('recent_events', { event_id: eventId, limit: 1 });
  expect(first.structuredContent).toMatchObject({ events: [{ event_id: eventId }] });
  await services.db.$executeRaw`update agent_subscription set expires_at = now() where identity = ${made.result?.id}`;
  expect((await call('recent_events')).structuredContent).toMatchObject({ events: [] });
  expect((await call('my_subscriptions', {}, other.key)).structuredContent).toMatchObject({ subscriptions: [] });
  expect(await call('retry_delivery')).toMatchObject({ isError: true });
});

test('a type to which agents subscribe is not deleted, and its schema not broken, unless that is to end them', async () => {
  const name = 'order.lost';
  const schemaOf = (country: object) => ({ type: 'object', properties: { country } });
  const type = await client.call<{ id: string }>('POST', '/event-types', {
    name,
    schema: schemaOf({ enum: ['DE', 'FR'] }),
    publishIn: [services.environmentId],
  });
  const subscribed = async (given: object = {}) =>
    String((await ask('events/subscribe', subscribeParams(newCallback(), { name, ...given }))).result?.id);
  const change = async (country: object, query = '') => {
    const answer = await client.call<{ error?: { code: string } }>('PATCH', `/event-types/${type.body.id}${query}`, {
      schema: schemaOf(country),
    });
    return answer.body.error?.code ?? answer.status;
  };
  const german = await subscribed({ arguments: { country: 'DE' } });
  expect(await change({ enum: ['DE', 'FR', 'IT'] })).toBe(200);
  expect(await change({ enum: ['DE', 'FR'] })).toBe('agents_subscribed');
  expect(await change({ type: 'number' })).toBe('agents_subscribed');
  expect(await change({ type: 'number' }, '?dryRun=true')).toBe('agents_subscribed');
  expect(await change({ type: 'number' }, '?dryRun=true&endAgents=true')).toBe(200);
  expect(await subscriptionOf(german)).toMatchObject({ status: 'active' });
  expect(await change({ type: 'number' }, '?endAgents=true')).toBe(200);
  expect(await subscriptionOf(german)).toMatchObject({ status: 'ended', endReason: 'schema_changed' });
  const every = await subscribed();
  const refused = await client.call('DELETE', `/event-types/${type.body.id}`);
  expect([refused.status, refused.body]).toMatchObject([409, { error: { code: 'agents_subscribed' } }]);
  expect((await client.call('DELETE', `/event-types/${type.body.id}?endAgents=true`)).status).toBe(204);
  expect(await subscriptionOf(every)).toMatchObject({ status: 'ended', endReason: 'event_type_removed' });
});

test('any text may be an argument: it is stored, told and compared as it was given', async () => {
  const texts = ['\0', 'a\0b', '\ud800', '\u202e', "'; drop table event; --", '$1', '\\', '"', '\u{1f600}'];
  const urls = texts.map(() => newCallback());
  for (const [n, note] of texts.entries()) {
    const params = subscribeParams(urls[n] ?? '', { arguments: { note } });
    const { result, error } = await ask('events/subscribe', params);
    expect([note, error]).toEqual([note, undefined]);
    expect((await subscriptionOf(String(result?.id))).arguments).toEqual({ note });
    expect((await ask('events/subscribe', params)).result).toHaveProperty('deliveryStatus');
  }
  const [plain = '', last = ''] = [newCallback(), urls.at(-1)];
  expect((await ask('events/subscribe', subscribeParams(plain))).error).toBeUndefined();
  await send({ note: texts.at(-1) });
  await waitFor(() => eventsAt(plain).length === 1 && eventsAt(last).length === 1, { what: 'the event' });
  expect(urls.map((url) => eventsAt(url).length)).toEqual(texts.map((_, n) => (n === texts.length - 1 ? 1 : 0)));
});

test('subscribes, refreshes with new secrets, unsubscribes and ends by a person at once leave one state: live with its secrets, or ended', async () => {
  const url = newCallback();
  const params = subscribeParams(url);
  expect((await ask('events/subscribe', params)).error).toBeUndefined();
  const id = String((await ask('events/subscribe', params)).result?.id);
  for (let round = 0; round < 4; round += 1) {
    const rotated = () => ({ ...params, delivery: { ...params.delivery, secret: newSecret() } });
    const answers = await Promise.all([
      ask('events/subscribe', params),
      ask('events/subscribe', rotated()),
      ask('events/unsubscribe', params),
      ask('events/subscribe', rotated()),
      client.call('DELETE', `/agent-subscriptions/${id}`),
      ask('events/subscribe', params),
      ask('events/unsubscribe', params),
    ]);
    const failed = answers.filter((one) => 'error' in one || ('status' in one && one.status !== 204));
    expect(failed).toEqual([]);
    const live = await services.db.agentSubscription.findMany({ where: { identity: id, endedAt: null } });
    expect(live.length).toBeLessThanOrEqual(1);
    expect((await subscriptionOf(id)).status).toBe(live.length === 1 ? 'active' : 'ended');
    const endpoints = await services.db.endpoint.findMany({
      where: { url, deletedAt: null },
      include: { secrets: true },
    });
    expect(endpoints.map((one) => one.id)).toEqual(live.map((one) => one.endpointId));
    for (const { secrets } of endpoints) {
      expect(secrets.filter(({ expiresAt }) => expiresAt === null)).toHaveLength(1);
      expect(secrets.length).toBeLessThanOrEqual(3);
    }
  }
  // Whichever call won, the agent gets there by asking once more.
  expect((await ask('events/subscribe', params)).result).toMatchObject({ id });
  const sent = await send({ order: {} });
  await waitFor(() => eventsAt(url).some(({ headers }) => headers['webhook-id'] === sent), { what: 'the event' });
  const [event] = eventsAt(url).slice(-1);
  expect(() =>
    new Webhook(params.delivery.secret).verify(String(event?.body), event?.headers as Record<string, string>),
  ).not.toThrow();
});

test('a callback that keeps failing is suspended: its events wait, and a refresh sends them', async () => {
  const url = newCallback();
  const params = subscribeParams(url);
  const id = String((await ask('events/subscribe', params)).result?.id);
  const idsOf = async (status: string) => {
    const path = `/agent-subscriptions?environment_id=${services.environmentId}&status=${status}&limit=100`;
    const { body } = await client.call<{ agentSubscriptions: { id: string }[] }>('GET', path);
    return body.agentSubscriptions.map((one) => one.id);
  };
  const statuses = async () => {
    const all = await Promise.all(
      ['active', 'suspended', 'ended'].map(async (one) => [one, await idsOf(one)] as const),
    );
    return all.flatMap(([status, ids]) => (ids.includes(id) ? [status] : []));
  };
  expect(await statuses()).toEqual(['active']);
  receiver.respondWith(() => ({ status: 500 }));
  const failing = async () => {
    await send({ order: {} });
    // The failures must span half a minute.
    await services.db.$executeRaw`update endpoint_health set failing_since = now() - interval '1 minute'
      where endpoint_id = (select endpoint_id from agent_subscription where identity = ${id})`;
    return (await subscriptionOf(id)).status === 'suspended';
  };
  await waitFor(failing, { what: 'the suspension' });
  expect(await statuses()).toEqual(['suspended']);
  const waiting = await send({ order: {} });
  const refreshed = await ask('events/subscribe', params);
  // Not earlier, because an attempt that was under way at the suspension would end it.
  receiver.respondWith(echo);
  const deliveryStatus = { active: false, lastError: 'http_5xx', failedSince: expect.any(String) };
  expect(refreshed.result).toMatchObject({ id, deliveryStatus });
  const arrived = () => eventsAt(url).some(({ headers }) => headers['webhook-id'] === waiting);
  await waitFor(arrived, { what: 'the event that waited' });
  expect(await statuses()).toEqual(['active']);
  expect((await ask('events/unsubscribe', params)).result).toBeDefined();
  expect(await statuses()).toEqual(['ended']);
});

test('the owner of a type chooses by what agents filter, and takes away nothing that a subscription uses', async () => {
  const name = 'order.weighed';
  const parcel = { type: 'object', properties: { weight: { type: 'number' }, sender: { type: 'string' } } };
  const schema = { type: 'object', properties: { note: { type: 'string' }, parcel } };
  const create = (agentFilters: string[]) =>
    client.call<{ id: string; agentFilters: string[]; error?: { message: string } }>('POST', '/event-types', {
      ...{ name, schema, agentFilters, publishIn: [services.environmentId] },
    });
  expect((await create(['parcel'])).body.error?.message).toBe(
    'agentFilters[0] must lead to a string, number, boolean or enum of the schema',
  );
  const type = await create(['parcel.weight']);
  expect(type.body.agentFilters).toEqual(['parcel.weight']);
  const listed = (await ask('events/list', {})).result as { events: { name: string; inputSchema: object }[] };
  const { inputSchema } = listed.events.find((event) => event.name === name) ?? {};
  expect(Object.keys((inputSchema as { properties: object }).properties)).toEqual(['parcel.weight']);
  const subscribe = (given: object) => ask('events/subscribe', subscribeParams(newCallback(), { name, ...given }));
  expect((await subscribe({ arguments: { note: 'x' } })).error).toEqual({
    code: -32_602,
    data: { field: 'arguments.note' },
  });
  const heavy = String((await subscribe({ arguments: { 'parcel.weight': { gt: 30 } } })).result?.id);
  const choose = async (agentFilters: string[] | null, query = '') => {
    const path = `/event-types/${type.body.id}${query}`;
    const answer = await client.call<{ error?: { code: string } }>('PATCH', path, { agentFilters });
    return answer.body.error?.code ?? answer.status;
  };
  expect(await choose(['note'])).toBe('agents_subscribed');
  expect(await choose(['note'], '?dryRun=true')).toBe('agents_subscribed');
  expect(await choose(['note', 'parcel.weight'])).toBe(200);
  expect(await choose(null)).toBe(200);
  expect(await choose([], '?endAgents=true')).toBe(200);
  expect(await subscriptionOf(heavy)).toMatchObject({ status: 'ended', endReason: 'schema_changed' });
});

test('a refresh tells that events wait for the rate limit, until the last of them is sent', async () => {
  await client.call('PUT', agents(), { enabled: true, rateLimit: { limit: 1, periodSeconds: 5 } });
  try {
    const url = newCallback();
    const params = subscribeParams(url);
    const id = String((await ask('events/subscribe', params)).result?.id);
    const statusOf = async () => (await ask('events/subscribe', params)).result?.deliveryStatus as { throttled?: true };
    expect(await statusOf()).not.toHaveProperty('throttled');
    await Promise.all([1, 2, 3].map((n) => send({ n })));
    const { endpointId } = await subscriptionOf(id);
    // Wait in the database, because an agent that kept asking would use up its calls.
    const inLine = { endpointId: fromId('ep', String(endpointId)) ?? '', dueAt: { gt: new Date('7000-01-01') } };
    await waitFor(() => services.db.delivery.count({ where: inLine }), { what: 'events to wait' });
    const held = await statusOf();
    expect(held).toMatchObject({ active: true, throttled: true, retryAfterMs: expect.any(Number) });
    await waitFor(() => eventsAt(url).length === 3, { what: 'every event' });
    await waitFor(async () => !(await statusOf()).throttled, { what: 'no event to wait' });
    expect(await subscriptionOf(id)).toMatchObject({ status: 'active' });
  } finally {
    await client.call('PUT', agents(), { enabled: true });
  }
});

test('a host that is no longer allowed, and a type that is no longer published, refuse a refresh', async () => {
  const name = 'order.hidden';
  const type = await client.call<{ id: string }>('POST', '/event-types', {
    name,
    schema: SCHEMA,
    publishIn: [services.environmentId],
  });
  const params = subscribeParams(newCallback(), { name });
  const id = String((await ask('events/subscribe', params)).result?.id);
  await client.call('PUT', agents(), { enabled: true, callbackHosts: ['else.test'] });
  const refused = await waitFor(async () => (await ask('events/subscribe', params)).error, { what: 'the refusal' });
  expect(refused).toEqual({ code: -32_012, data: { reason: 'callback_host' } });
  expect(await subscriptionOf(id)).toMatchObject({ status: 'active' });
  await client.call('PUT', agents(), { enabled: true });
  await waitFor(async () => (await ask('events/subscribe', params)).result, { what: 'the host to be allowed' });
  await services.db.publishedEventType.deleteMany({ where: { eventTypeId: fromId('evt', type.body.id) ?? '' } });
  expect((await ask('events/subscribe', params)).error).toMatchObject({ code: -32_011 });
  expect(await subscriptionOf(id)).toMatchObject({ status: 'ended', endReason: 'event_type_removed' });
  const entries = { action: 'agent_subscription.ended', resourceId: id };
  expect(await services.db.auditEntry.count({ where: entries })).toBe(1);
});

test('a workspace is told of subscriptions, and of ends that neither the agent nor its expiry has made', async () => {
  const names = ['posthorn.agent.subscribed', 'posthorn.agent.ended'] as const;
  const url = newCallback();
  const listener = await client.call<{ id: string }>('POST', '/endpoints', {
    url,
    environmentId: services.environmentId,
  });
  for (const name of names) {
    const made = await client.call<{ id: string }>('POST', '/event-types', {
      name,
      publishIn: [services.environmentId],
    });
    await client.call('POST', `/endpoints/${listener.body.id}/subscriptions`, { eventTypeIds: [made.body.id] });
  }
  const params = [subscribeParams(newCallback()), subscribeParams(newCallback())] as const;
  const left = await ask('events/subscribe', params[0]);
  await ask('events/subscribe', params[0]);
  const { name, delivery } = params[0];
  expect((await ask('events/unsubscribe', { name, delivery })).result).toBeDefined();
  const ended = await ask('events/subscribe', params[1]);
  expect((await client.call('DELETE', `/agent-subscriptions/${ended.result?.id}`)).status).toBe(204);
  type Told = { type: keyof typeof OPERATIONAL_EVENTS; data: Record<string, unknown> };
  const told = () => requestsAt(url).map(({ body }) => JSON.parse(body.toString()) as Told);
  await waitFor(() => told().some(({ type }) => type === 'posthorn.agent.ended'), { what: 'the end to be told' });
  await waitFor(() => told().length >= 3, { what: 'both subscriptions to be told' });
  expect(
    told()
      .map(({ type, data }) => `${type} ${data.subscriptionId}`)
      .sort(),
  ).toEqual(
    [
      `posthorn.agent.subscribed ${left.result?.id}`,
      `posthorn.agent.subscribed ${ended.result?.id}`,
      `posthorn.agent.ended ${ended.result?.id}`,
    ].sort(),
  );
  for (const { type, data } of told()) expect(OPERATIONAL_EVENTS[type].data.strict().parse(data)).toEqual(data);
  expect(told().find(({ type }) => type === 'posthorn.agent.ended')?.data).toMatchObject({
    endReason: 'person',
    eventType: 'order.shipped',
    applicationId: acme.applicationId,
  });
});

test('a type that is hidden from a customer is delivered to its agents no more', async () => {
  const [name, other] = ['order.private', await newCustomer('Stays')];
  const publishIn = [services.environmentId];
  const type = await client.call<{ id: string }>('POST', '/event-types', { name, publishIn });
  const params = [subscribeParams(newCallback(), { name }), subscribeParams(newCallback(), { name })] as const;
  const hidden = String((await ask('events/subscribe', params[0])).result?.id);
  const shown = String((await ask('events/subscribe', params[1], { key: other.key })).result?.id);
  const path = `/environments/${services.environmentId}/event-types/${type.body.id}/visibility`;
  const put = await client.call('PUT', path, { published: true, applications: [other.applicationId] });
  expect(put.status).toBe(200);
  const ended = await subscriptionOf(hidden);
  expect(ended).toMatchObject({ status: 'ended', endReason: 'event_type_removed' });
  for (const applicationId of [acme.applicationId, other.applicationId]) {
    expect((await client.call('POST', '/events', { eventType: name, applicationId, data: {} })).status).toBe(202);
  }
  await waitFor(() => eventsAt(params[1].delivery.url).length === 1, { what: 'the event of the other customer' });
  expect(await deliveriesOf(ended.endpointId)).toEqual([]);
  expect((await ask('events/subscribe', params[0])).error).toEqual({ code: -32_011, data: { kind: 'event' } });
  expect(await subscriptionOf(shown)).toMatchObject({ status: 'active' });
});

describe('the end of a subscription', () => {
  const subscribed = async (key = acme.key) => {
    const params = subscribeParams(newCallback());
    const made = await ask('events/subscribe', params, { key });
    expect(made.error).toBeUndefined();
    return { params, url: params.delivery.url, id: String(made.result?.id) };
  };
  const end = (id: string) => client.call('DELETE', `/agent-subscriptions/${id}`);

  test('is told to its callback, signed, by the same message until it is taken', async () => {
    const { id, params, url } = await subscribed();
    receiver.respondWith(() => ({ status: terminationsAt(url).length < 3 ? 500 : 200 }));
    expect((await end(id)).status).toBe(204);
    await allTold();
    const told = terminationsAt(url);
    expect(told.map(({ error }) => error)).toMatchObject(
      Array.from({ length: 3 }, () => ({ code: -32_012, data: { reason: 'person' } })),
    );
    expect(new Set(told.map(({ request }) => request.headers['webhook-id'])).size).toBe(1);
    for (const { request } of told) {
      expect(request.headers['webhook-id']).toMatch(/^msg_terminated_/);
      expect(request.headers['x-mcp-subscription-id']).toBe(id);
      verify(request, params.delivery.secret);
    }
  });

  test('is told three times at most, and not to a callback that the agent has subscribed anew', async () => {
    const [lost, back] = [await subscribed(), await subscribed()];
    receiver.respondWith((request) => (request.body.includes('terminated') ? { status: 500 } : echo(request)));
    await end(lost.id);
    await allTold();
    expect(terminationsAt(lost.url)).toHaveLength(3);
    await end(back.id);
    await waitFor(() => terminationsAt(back.url).length === 1, { what: 'the first try' });
    expect((await ask('events/subscribe', back.params)).result).toMatchObject({ id: back.id });
    await allTold();
    expect(terminationsAt(back.url)).toHaveLength(1);
  });

  test('is not told when the agent has made it, at or after the expiry, and to an erased customer', async () => {
    const other = await newCustomer('Erased');
    const [left, lapsing, erased] = [await subscribed(), await subscribed(), await subscribed(other.key)];
    const { name, delivery } = left.params;
    expect((await ask('events/unsubscribe', { name, delivery })).error).toBeUndefined();
    await services.db.$executeRaw`
      update agent_subscription set expires_at = now() + interval '900 milliseconds' where identity = ${lapsing.id}`;
    expect((await end(lapsing.id)).status).toBe(204);
    expect(await subscriptionOf(lapsing.id)).toMatchObject({ endReason: 'person' });
    const erasure = await client.call('POST', '/erasures', { applicationId: other.applicationId });
    expect(erasure.status).toBe(202);
    await allTold();
    for (const { url } of [left, lapsing, erased]) expect(terminationsAt(url)).toEqual([]);
  });
});

test('the endpoint of an agent is not among the endpoints, counts nowhere, and nobody changes it', async () => {
  const subscribers = async () => {
    const path = `/environments/${services.environmentId}/event-types?include=endpoints`;
    const { body } = await client.call<{ eventType: string; endpoints: number }[]>('GET', path);
    return body.find(({ eventType }) => eventType === 'order.shipped')?.endpoints;
  };
  const before = await subscribers();
  const made = await ask('events/subscribe', subscribeParams(newCallback()));
  const { endpointId } = await subscriptionOf(String(made.result?.id));
  const listed = await client.call<{ id: string }[]>('GET', '/endpoints');
  expect(listed.body.map(({ id }) => id)).not.toContain(endpointId);
  expect([typeof before, await subscribers()]).toEqual(['number', before]);
  expect((await client.call('GET', `/endpoints/${endpointId}`)).status).toBe(404);
  for (const [method, path] of [
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/test'],
    ['POST', '/doctor'],
    ['POST', '/secret/rotate'],
  ] as const) {
    const refused = await client.call(method, `/endpoints/${endpointId}${path}`, method === 'DELETE' ? undefined : {});
    expect([path, refused.status]).toEqual([path, 400]);
  }
  const direct = await client.call('POST', '/events', { endpointId, data: {} });
  expect(direct.status).toBe(404);
});

test('a document that names no endpoint removes none of an agent', async () => {
  const { key } = await newKey('agent of the workspace');
  const made = await ask('events/subscribe', subscribeParams(newCallback()), { key });
  const { endpointId } = await subscriptionOf(String(made.result?.id));
  const plan = await client.call<{ error?: object; changes: { key: string }[] }>('POST', '/apply', {
    ...{ document: { version: 1, endpoints: [] }, prune: true, dryRun: true },
  });
  expect([plan.status, plan.body.error]).toEqual([200, undefined]);
  expect(plan.body.changes.map((change) => change.key)).not.toContain(endpointId);
});

test('switching agents off in the environment ends every subscription, and hides the address', async () => {
  const made = await ask('events/subscribe', subscribeParams(newCallback()));
  expect((await client.call('PUT', agents(), { enabled: false })).body).toMatchObject({ enabled: false });
  expect(await subscriptionOf(String(made.result?.id))).toMatchObject({ endReason: 'disabled' });
  await waitFor(
    async () =>
      ask('events/list', {}).then(
        () => false,
        () => true,
      ),
    { what: 'the address to be hidden' },
  );
  expect((await client.call('PUT', agents(), { enabled: true })).status).toBe(200);
});
