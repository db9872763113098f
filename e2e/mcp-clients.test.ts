import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ApiClient, createApiClient } from '@posthorn/testkit/api-client';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { waitFor } from '@posthorn/testkit/wait-for';
import { startAiSdkAgent } from './ai-sdk-agent.ts';
import { type Services, startServices } from './services-in-process.ts';

// Tests a published third-party client of MCP Events against the production services.

let services: Services;
let receiver: Receiver;
let client: ApiClient;
beforeAll(async () => {
  receiver = await startReceiver();
  services = await startServices({ settings: { MCP_EVENTS: 'true' } });
  client = createApiClient({ ...services, baseUrl: services.api.url });
  const schema = { type: 'object', properties: { country: { type: 'string' } } };
  await client.call('POST', '/event-types', { name: 'order.shipped', schema, publishIn: [services.environmentId] });
  await client.call('PUT', `/environments/${services.environmentId}/agents`, { enabled: true });
}, 120_000);
afterAll(async () => {
  await services?.stop();
  await receiver?.close();
}, 60_000);

/** Starts an agent with its own key. */
async function startAgent(given: { protocolVersionDiscovery?: boolean } = {}) {
  const { environmentId } = services;
  const key = await client.call<{ id: string; key: string }>('POST', '/agent-keys', { name: 'AI SDK', environmentId });
  const url = `${services.api.url}/mcp/events/${environmentId}`;
  return { ...(await startAiSdkAgent({ receiver, url, key: key.body.key, ...given })), keyId: key.body.id };
}

const send = async (data: object) =>
  (await client.call<{ id: string }>('POST', '/events', { eventType: 'order.shipped', data })).body.id;

test.each([true, false])(
  'the AI SDK lists, subscribes, receives, refreshes with a new secret, and unsubscribes, with discovery: %s',
  async (protocolVersionDiscovery) => {
    const agent = await startAgent({ protocolVersionDiscovery });
    try {
      const listed = await agent.list();
      expect(listed.events.map(({ name }) => name)).toEqual(['order.shipped']);
      const { id } = await agent.subscribe({ name: 'order.shipped', arguments: { country: 'DE' } });
      expect(agent.store.all()).toMatchObject([{ status: 'active', id }]);
      await send({ country: 'FR' });
      const eventId = await send({ country: 'DE', number: 1 });
      await waitFor(() => agent.events.length > 0, { what: 'the event' });
      expect(agent.events).toMatchObject([{ eventId, name: 'order.shipped', data: { country: 'DE', number: 1 } }]);
      expect((await agent.refresh(id)).id).toBe(id);
      await agent.rotate(id);
      await send({ country: 'DE', number: 2 });
      await waitFor(() => agent.events.length > 1, { what: 'the event after the refreshes' });
      await agent.unsubscribe(id);
      const ended = await client.call('GET', `/agent-subscriptions/${id}`);
      expect(ended.body).toMatchObject({ status: 'ended', endReason: 'unsubscribed' });
      expect(agent.store.all()).toEqual([]);
      // The agent took the challenge and both events.
      expect([agent.errors, agent.handled.map(({ status }) => status)]).toEqual([[], [200, 204, 204]]);
    } finally {
      await agent.close();
    }
  },
  60_000,
);

test('the AI SDK takes an event of 256 KiB, and an event that comes while it refreshes at the next attempt', async () => {
  const agent = await startAgent();
  try {
    const { id } = await agent.subscribe({ name: 'order.shipped' });
    const empty = { filler: '' };
    // The body consists of the payload and a frame of constant length.
    await send(empty);
    await waitFor(() => agent.events.length === 1, { what: 'the first event' });
    const frame = agent.handled.at(-1)?.request.body.length ?? 0;
    await send({ filler: 'x'.repeat(262_144 - frame) });
    await waitFor(() => agent.events.length === 2, { what: 'the largest event' });
    expect(agent.handled.at(-1)?.request.body).toHaveLength(262_144);
    const [one] = agent.store.all();
    await agent.store.update(one?.key ?? '', { status: 'pending' });
    await send({ number: 3 });
    await waitFor(() => agent.handled.at(-1)?.status === 503, { what: 'the refusal' });
    await agent.refresh(id);
    await waitFor(() => agent.events.length === 3, { what: 'the retry' });
    expect(agent.errors).toEqual([]);
  } finally {
    await agent.close();
  }
}, 60_000);

test('the AI SDK answers 410 to an event after its own expiry, which ends that event alone', async () => {
  const agent = await startAgent();
  try {
    const { id } = await agent.subscribe({ name: 'order.shipped' });
    const [one] = agent.store.all();
    // The agent's clock is ahead.
    await agent.store.update(one?.key ?? '', { refreshBefore: new Date(0).toISOString() });
    await send({ number: 1 });
    await waitFor(() => agent.handled.at(-1)?.status === 410, { what: 'the refusal' });
    await agent.refresh(id);
    await send({ number: 2 });
    await waitFor(() => agent.events.length === 1, { what: 'the next event' });
    expect(agent.events).toMatchObject([{ data: { number: 2 } }]);
  } finally {
    await agent.close();
  }
}, 60_000);

test('the AI SDK is told that its key was deleted, and forgets the subscription', async () => {
  const agent = await startAgent();
  try {
    await agent.subscribe({ name: 'order.shipped' });
    expect((await client.call('DELETE', `/agent-keys/${agent.keyId}`)).status).toBe(204);
    await waitFor(() => agent.terminations.length > 0, { what: 'the termination' });
    expect(agent.terminations).toMatchObject([
      { type: 'terminated', error: { code: -32_012, data: { reason: 'key_revoked' } } },
    ]);
    await waitFor(() => agent.store.all().length === 0, { what: 'the store to forget it' });
  } finally {
    await agent.close();
  }
}, 60_000);
