import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type AgentIssuer, startAgentIssuer } from '@posthorn/testkit/agent-issuer';
import { type ApiClient, createApiClient } from '@posthorn/testkit/api-client';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { waitFor } from '@posthorn/testkit/wait-for';
import { Webhook } from 'standardwebhooks';
import { type Services, startServices } from './services-in-process.ts';

// Tests agents that subscribe with access tokens of a real authorization server, which the production services read.

let services: Services;
let receiver: Receiver;
let issuer: AgentIssuer;
let client: ApiClient;
let applicationId: string;

beforeAll(async () => {
  [receiver, issuer] = await Promise.all([startReceiver(), startAgentIssuer()]);
  receiver.respondWith(({ body }) => {
    const { type, challenge } = JSON.parse(body.toString());
    return type === 'verification' ? { body: JSON.stringify({ challenge }) } : {};
  });
  services = await startServices({
    settings: { MCP_EVENTS: 'true', MCP_EVENTS_NO_CONTROL_HOSTS: new URL(receiver.url).hostname },
  });
  client = createApiClient({ ...services, baseUrl: services.api.url });
  await client.call('POST', '/event-types', { name: 'order.shipped', publishIn: [services.environmentId] });
  const made = await client.call<{ id: string }>('POST', '/applications', { name: 'Acme', externalId: 'acme-1' });
  applicationId = made.body.id;
  issuer.application = applicationId;
  expect((await allow({ issuer: issuer.issuer })).status).toBe(200);
}, 120_000);
afterAll(async () => {
  await services?.stop();
  await Promise.all([receiver?.close(), issuer?.close()]);
}, 60_000);

const settingsPath = () => `/environments/${services.environmentId}/agents`;
const allow = (given: object | null) => client.call('PUT', settingsPath(), { enabled: true, issuer: given });
/** The address with which the service names itself. */
const origin = () => `http://localhost:${new URL(services.api.url).port}`;
const address = () => `${origin()}/mcp/events/${services.environmentId}`;
const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

async function ask(token: string | undefined, method = 'events/list', params: object = {}) {
  const answer = await fetch(address(), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const body = (await answer.json()) as {
    result?: Record<string, unknown>;
    error?: { code: unknown; message: string };
  };
  return { status: answer.status, challenge: answer.headers.get('www-authenticate') ?? '', ...body };
}

const subscribe = (token: string, url: string, name = 'order.shipped') =>
  ask(token, 'events/subscribe', { name, delivery: { mode: 'webhook', url, secret: newSecret() } });

const read = async (url: string, options?: RequestInit) => {
  const answer = await fetch(url, options);
  expect(answer.ok).toBe(true);
  return (await answer.json()) as Record<string, string> & { authorization_servers: string[] };
};

/** The claims of a correct access token. */
const claims = (given: object = {}) => {
  const now = Math.floor(Date.now() / 1_000);
  const usual = { iss: issuer.issuer, aud: address(), sub: 'person@example.test', iat: now, exp: now + 300 };
  return { ...usual, scope: 'events:subscribe', posthorn_application: applicationId, ...given };
};

test('an agent that knows only the address finds the issuer, registers there, subscribes, and gets the event', async () => {
  const refused = await ask(undefined);
  expect(refused.status).toBe(401);
  const [, metadata = ''] = /resource_metadata="([^"]+)"/.exec(refused.challenge) ?? [];
  const [, scope = ''] = /scope="([^"]+)"/.exec(refused.challenge) ?? [];
  expect(metadata).toBe(`${origin()}/.well-known/oauth-protected-resource/mcp/events/${services.environmentId}`);
  const resource = await read(metadata);
  expect(resource).toEqual({
    resource: address(),
    authorization_servers: [issuer.issuer],
    scopes_supported: ['events:subscribe'],
    bearer_methods_supported: ['header'],
  });
  const server = await read(`${resource.authorization_servers[0]}/.well-known/openid-configuration`);
  const registered = await read(server.registration_endpoint ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ grant_types: ['client_credentials'], redirect_uris: [], response_types: [] }),
  });
  const pair = Buffer.from(`${registered.client_id}:${registered.client_secret}`).toString('base64');
  const granted = await read(server.token_endpoint ?? '', {
    method: 'POST',
    headers: { authorization: `Basic ${pair}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope, resource: resource.resource ?? '' }),
  });

  const url = new URL('/oauth', receiver.url).href;
  const made = await subscribe(granted.access_token ?? '', url);
  expect(made).toMatchObject({ status: 200, result: { id: expect.stringMatching(/^mcs_/) } });
  // An hour, although the environment grants a day.
  const leftMs = Date.parse(String(made.result?.refreshBefore)) - Date.now();
  expect(leftMs).toBeGreaterThan(3_500_000);
  expect(leftMs).toBeLessThanOrEqual(3_600_000);

  const data = { order: 1 };
  const sent = await client.call<{ id: string }>('POST', '/events', {
    eventType: 'order.shipped',
    applicationId,
    data,
  });
  const event = await waitFor(() => receiver.requests.find(({ headers }) => headers['webhook-id'] === sent.body.id), {
    what: 'the event',
  });
  expect(event.url).toBe('/oauth');
  const shown = await client.call('GET', `/agent-subscriptions/${made.result?.id}`);
  expect(shown.body).toMatchObject({ applicationId, principal: { kind: 'oauth', name: issuer.issuer } });
}, 60_000);

test('what ChatGPT asks, in its order: one subscription for each task, refreshed by the same call, left without an unsubscribe', async () => {
  // Based on OpenAI's guide and on logs of bridges to ChatGPT, which itself cannot run here.
  const token = await issuer.sign(claims({ sub: 'chatgpt' }));
  const capabilities = await ask(token, 'initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'openai-mcp', version: '1.0.0' },
  });
  expect(capabilities.result).toMatchObject({ protocolVersion: '2025-11-25', capabilities: { events: {} } });
  expect((await ask(token)).result).toMatchObject({ events: [{ name: 'order.shipped', delivery: ['webhook'] }] });
  const newTask = () => ({
    name: 'order.shipped',
    arguments: {},
    delivery: {
      mode: 'webhook',
      url: new URL(`/webhook/mcp-events/${randomBytes(16).toString('hex')}`, receiver.url).href,
      secret: newSecret(),
    },
    cursor: null,
  });
  const [first, second] = [newTask(), newTask()];
  const eventsOf = ({ delivery: { url, secret } }: typeof first) =>
    receiver.requests.flatMap(({ url: path, headers, body }) => {
      if (path !== new URL(url).pathname || body.includes('verification')) return [];
      return [new Webhook(secret).verify(body.toString(), headers as Record<string, string>) as { eventId: string }];
    });
  const made = await ask(token, 'events/subscribe', first);
  expect(made.result).toMatchObject({ id: expect.stringMatching(/^mcs_/), cursor: null, truncated: false });
  const refreshed = await ask(token, 'events/subscribe', first);
  expect(refreshed.result).toMatchObject({ id: made.result?.id, deliveryStatus: { active: true } });
  const other = await ask(token, 'events/subscribe', second);
  expect(other.result?.id).not.toBe(made.result?.id);
  const send = async () =>
    (await client.call<{ id: string }>('POST', '/events', { eventType: 'order.shipped', applicationId, data: {} })).body
      .id;
  const eventId = await send();
  await waitFor(() => eventsOf(first).length === 1 && eventsOf(second).length === 1, { what: 'both tasks' });
  for (const task of [first, second]) expect(eventsOf(task)).toMatchObject([{ eventId, cursor: null }]);
  const { name, arguments: given, delivery } = first;
  const left = await ask(token, 'events/unsubscribe', {
    ...{ name, arguments: given },
    delivery: { mode: 'webhook', url: delivery.url },
  });
  expect(left.result).toEqual({});
  // The second task disappears, so the expiry ends its subscription.
  await services.db.$executeRaw`update agent_subscription set expires_at = now() where identity = ${other.result?.id}`;
  await send();
  const endedBy = async (id: unknown) => (await client.call('GET', `/agent-subscriptions/${id}`)).body;
  expect(await endedBy(made.result?.id)).toMatchObject({ status: 'ended', endReason: 'unsubscribed' });
  expect(await endedBy(other.result?.id)).toMatchObject({ status: 'ended', endReason: 'expired' });
  expect([eventsOf(first), eventsOf(second)].map(({ length }) => length)).toEqual([1, 1]);
});

describe('refuses', () => {
  test.each([
    ['another audience', { aud: 'https://other.example/' }],
    ['no audience', { aud: undefined }],
    ['another issuer', { iss: 'https://evil.example' }],
    ['an end that is over', { exp: Math.floor(Date.now() / 1_000) - 120 }],
    ['no end', { exp: undefined }],
    ['a beginning that is to come', { nbf: Math.floor(Date.now() / 1_000) + 600 }],
    ['no subject', { sub: undefined }],
    ['an empty subject', { sub: '' }],
    ['a number as its subject', { sub: 7 }],
    ['a subject of 256 characters', { sub: 'x'.repeat(256) }],
  ])('a token with %s', async (_, given) => {
    const { status, challenge, error } = await ask(await issuer.sign(claims(given)));
    expect([status, error?.code]).toEqual([401, 'unauthorized']);
    expect(challenge).toContain('resource_metadata="');
  });

  test.each([
    ['no signature (none)', () => issuer.unsecured(claims())],
    ['a shared secret (HS256)', () => issuer.signShared(claims())],
    ['a key that the issuer does not have', () => issuer.sign(claims(), { withUnknownKey: true })],
  ])('a token with %s', async (_, make) => {
    expect((await ask(await make())).status).toBe(401);
  });

  test('a token without the scope, and names the scope', async () => {
    const { status, challenge } = await ask(await issuer.sign(claims({ scope: 'openid other' })));
    expect(status).toBe(403);
    expect(challenge).toMatch(/^Bearer error="insufficient_scope", .*scope="events:subscribe"$/);
  });

  test.each([
    ['no application', undefined],
    ['an unknown application', 'app_01jczhk8m3fd8tqv5x0w2b9n4e'],
    ['an application that does not exist, and makes none', 'acme-2'],
    ['an application that is no text', { id: 1 }],
  ])('a token with %s', async (_, application) => {
    const refused = await ask(await issuer.sign(claims({ posthorn_application: application })));
    expect([refused.status, refused.error?.code]).toEqual([403, 'forbidden']);
  });

  test('an issuer at an address that the egress rules forbid', async () => {
    const refused = await allow({ issuer: 'https://169.254.169.254' });
    expect([refused.status, refused.body]).toEqual([
      400,
      { error: expect.objectContaining({ message: 'issuer.issuer must not point to a private or reserved address' }) },
    ]);
  });
});

test('the keys are read once for many tokens, and not again at once for a key that is unknown', async () => {
  expect((await ask(await issuer.sign(claims()))).status).toBe(200);
  const before = issuer.readKeys();
  for (const kid of ['a', 'b', 'c']) expect((await ask(await issuer.sign(claims(), { kid }))).status).toBe(401);
  expect((await ask(await issuer.sign(claims()))).status).toBe(200);
  expect(issuer.readKeys()).toBe(before);
});

test('the application may be named by the id of the operator, and the subject is stored nowhere', async () => {
  const url = new URL('/external', receiver.url).href;
  const made = await subscribe(await issuer.sign(claims({ posthorn_application: 'acme-1' })), url);
  expect(made.result).toMatchObject({ id: expect.stringMatching(/^mcs_/) });
  // The same person, with the other name of the application, gets the same subscription.
  expect((await subscribe(await issuer.sign(claims()), url)).result?.id).toBe(made.result?.id);
  expect((await subscribe(await issuer.sign(claims({ sub: 'other' })), url)).result?.id).not.toBe(made.result?.id);
  const rows = await services.db.$queryRaw<{ text: string }[]>`
    select a::text as text from agent_subscription a union all select e::text from audit_entry e`;
  expect(rows.filter(({ text }) => text.includes('person@example.test'))).toEqual([]);
  const entries = await services.db.auditEntry.findMany({ where: { action: 'agent_subscription.created' } });
  expect(entries.map(({ actorType }) => actorType)).toContain('agent');
  expect(entries.map(({ actorId }) => actorId)).toContainEqual(expect.stringMatching(/^[0-9a-f]{32}$/));
});

test('the check of the issuer tells its keys, or what is wrong', async () => {
  const check = () => client.call('POST', `${settingsPath()}/check-issuer`);
  expect((await check()).body).toEqual({ ok: true, keys: 1, message: 'The issuer has 1 key' });
  await allow({ issuer: `${issuer.issuer}/` });
  expect((await check()).body).toEqual({
    ok: false,
    keys: 0,
    message: `The description of the issuer names another issuer: ${issuer.issuer}`,
  });
  await allow({ issuer: issuer.issuer, jwksUri: `${issuer.issuer}/large-keys` });
  expect((await check()).body).toMatchObject({ ok: false, message: expect.stringContaining('keys.0.n is') });
  await allow({ issuer: issuer.issuer, jwksUri: `${issuer.issuer}/nothing` });
  expect((await check()).body).toMatchObject({ ok: false, message: expect.stringContaining('answers 404') });
  // Without the keys, a token is neither valid nor wrong, so the answer is 503. It does not say where the keys are.
  const refused = await waitFor(
    async () => {
      const answer = await ask(await issuer.sign(claims()));
      return answer.status === 503 ? answer : undefined;
    },
    { what: 'the new settings' },
  );
  expect(refused.error).toMatchObject({
    code: 'unavailable',
    message: 'The token cannot be checked now: the keys of its issuer cannot be read',
  });
});

test('without its issuer, the subscriptions of logins end, and the description of the resource is gone', async () => {
  await allow({ issuer: issuer.issuer });
  await waitFor(async () => (await ask(await issuer.sign(claims()))).status === 200, { what: 'the issuer' });
  const made = await subscribe(await issuer.sign(claims()), new URL('/ends', receiver.url).href);
  expect(made.result).toBeDefined();
  await allow(null);
  const shown = await client.call('GET', `/agent-subscriptions/${made.result?.id}`);
  expect(shown.body).toMatchObject({ status: 'ended', endReason: 'disabled' });
  // The host refuses this kind of message, so nobody is told.
  await waitFor(async () => (await services.db.outgoingTermination.count()) === 0, { what: 'the end to be dropped' });
  expect(receiver.requests.filter(({ body }) => body.includes('terminated'))).toEqual([]);
  const metadata = address().replace('/mcp/', '/.well-known/oauth-protected-resource/mcp/');
  await waitFor(async () => (await fetch(metadata)).status === 404, { what: 'the description to be gone' });
  const refused = await ask(await issuer.sign(claims()));
  expect([refused.status, refused.challenge]).toEqual([401, 'Bearer']);
});
