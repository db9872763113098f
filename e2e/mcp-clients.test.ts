import { randomBytes } from 'node:crypto';
import {
  createMCPClient,
  experimental_createMCPEventWebhook as createWebhook,
  type Experimental_MCPEventControl as EventControl,
  type Experimental_MCPEventStore as EventStore,
  type Experimental_MCPEventSubscription as EventSubscription,
  type Experimental_MCPEvent as McpEvent,
} from '@ai-sdk/mcp';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ApiClient, createApiClient } from '@posthorn/testkit/api-client';
import { type ReceivedRequest, type Receiver, type ReceiverAnswer, startReceiver } from '@posthorn/testkit/receiver';
import { waitFor } from '@posthorn/testkit/wait-for';
import { type Services, startServices } from './services-in-process.ts';

// A client of MCP Events that others wrote, as it is published, against the services of production.

let services: Services;
let receiver: Receiver;
let client: ApiClient;
let key: string;
beforeAll(async () => {
  receiver = await startReceiver();
  services = await startServices({ settings: { MCP_EVENTS: 'true' } });
  client = createApiClient({ ...services, baseUrl: services.api.url });
  const schema = { type: 'object', properties: { country: { type: 'string' } } };
  await client.call('POST', '/event-types', { name: 'order.shipped', schema, publishIn: [services.environmentId] });
  await client.call('PUT', `/environments/${services.environmentId}/agents`, { enabled: true });
  const made = await client.call<{ key: string }>('POST', '/agent-keys', {
    name: 'AI SDK',
    environmentId: services.environmentId,
  });
  key = made.body.key;
}, 120_000);
afterAll(async () => {
  await services?.stop();
  await receiver?.close();
}, 60_000);

/** The store of an application for its subscriptions; here in memory. */
function createStore(): EventStore & { all: () => EventSubscription[] } {
  const byKey = new Map<string, EventSubscription>();
  return {
    get: async (name) => byKey.get(name),
    getById: async (id) => [...byKey.values()].find((one) => one.id === id),
    set: async (one) => void byKey.set(one.key, one),
    async update(name, patch) {
      const one = byKey.get(name);
      if (one !== undefined) byKey.set(name, { ...one, ...patch });
    },
    delete: async (name) => void byKey.delete(name),
    all: () => [...byKey.values()],
  };
}

/** The callback of the AI SDK behind the receiver. */
function serve(handler: (request: Request) => Promise<Response>) {
  return async (received: ReceivedRequest): Promise<ReceiverAnswer> => {
    const headers = new Headers();
    for (const [name, value] of Object.entries(received.headers)) headers.set(name, String(value));
    const url = new URL(received.url, receiver.url);
    const answer = await handler(new Request(url, { method: 'POST', headers, body: new Uint8Array(received.body) }));
    const answered = Object.fromEntries(answer.headers.entries());
    return { status: answer.status, headers: answered, body: await answer.text() };
  };
}

const send = async (data: object) =>
  (await client.call<{ id: string }>('POST', '/events', { eventType: 'order.shipped', data })).body.id;

test.each([true, false])(
  'the AI SDK lists, subscribes, receives, refreshes and unsubscribes, with discovery: %s',
  async (protocolVersionDiscovery) => {
    const [store, events, errors] = [createStore(), [] as McpEvent[], [] as unknown[]];
    const statuses: number[] = [];
    const handle = serve(
      createWebhook({
        store,
        onEvent: async ({ event }) => void events.push(event),
        onTerminated: async (_told: { termination: EventControl }) => undefined,
        onError: (error) => void errors.push(error),
      }),
    );
    receiver.respondWith(async (request) => {
      const answer = await handle(request);
      statuses.push('status' in answer ? (answer.status ?? 200) : 0);
      return answer;
    });
    const agent = await createMCPClient({
      transport: {
        type: 'http',
        url: `${services.api.url}/mcp/events/${services.environmentId}`,
        headers: { authorization: `Bearer ${key}` },
      },
      protocolVersionDiscovery,
      experimental_events: { store },
    });
    try {
      const listed = await agent.experimental_events.list();
      expect(listed.events.map(({ name }) => name)).toEqual(['order.shipped']);
      const url = new URL(`/webhook/mcp-events/${randomBytes(16).toString('hex')}`, receiver.url).href;
      const subscribed = await agent.experimental_events.subscribe({
        name: 'order.shipped',
        arguments: { country: 'DE' },
        delivery: { mode: 'webhook', url },
      });
      expect(store.all()).toMatchObject([{ status: 'active', id: subscribed.id }]);
      await send({ country: 'FR' });
      const eventId = await send({ country: 'DE', number: 1 });
      await waitFor(() => events.length > 0, { what: 'the event' });
      expect(events).toMatchObject([{ eventId, name: 'order.shipped', data: { country: 'DE', number: 1 } }]);
      const refreshed = await agent.experimental_events.refresh({ id: subscribed.id });
      expect(refreshed.id).toBe(subscribed.id);
      await send({ country: 'DE', number: 2 });
      await waitFor(() => events.length > 1, { what: 'the event after the refresh' });
      await agent.experimental_events.unsubscribe({ id: subscribed.id });
      const ended = await client.call('GET', `/agent-subscriptions/${subscribed.id}`);
      expect(ended.body).toMatchObject({ status: 'ended', endReason: 'unsubscribed' });
      expect(store.all()).toEqual([]);
      // The challenge and two events, each taken.
      expect([errors, statuses.every((status) => status >= 200 && status < 300), statuses.length]).toEqual([
        [],
        true,
        3,
      ]);
    } finally {
      await agent.close();
    }
  },
  60_000,
);
