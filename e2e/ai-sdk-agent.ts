import { randomBytes } from 'node:crypto';
import {
  createMCPClient,
  experimental_createMCPEventWebhook as createWebhook,
  type Experimental_MCPEventControl as EventControl,
  type Experimental_MCPEventStore as EventStore,
  type Experimental_MCPEventSubscription as EventSubscription,
  type Experimental_MCPEvent as McpEvent,
} from '@ai-sdk/mcp';
import type { ReceivedRequest, Receiver, ReceiverAnswer } from '@posthorn/testkit/receiver';

type Store = EventStore & { all: () => EventSubscription[] };

/** An application's store for its subscriptions, here in memory. */
function createStore(): Store {
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

/**
 * Starts an application with the published AI SDK: its client, its store, and its callback behind the receiver.
 * `handled` has each request that the callback got, with the status that it answered. `beforeAnswer` is awaited before
 * the callback handles a request.
 */
export async function startAiSdkAgent({
  receiver,
  url,
  key,
  protocolVersionDiscovery = true,
  beforeAnswer = async () => undefined,
}: {
  receiver: Receiver;
  url: string;
  key: string;
  protocolVersionDiscovery?: boolean;
  beforeAnswer?: () => Promise<void>;
}) {
  const store = createStore();
  const seen = { events: [] as McpEvent[], terminations: [] as EventControl[], errors: [] as unknown[] };
  const handled: { request: ReceivedRequest; status: number }[] = [];
  const handler = createWebhook({
    store,
    onEvent: async ({ event }) => void seen.events.push(event),
    onTerminated: async ({ termination }) => void seen.terminations.push(termination),
    onError: (error) => void seen.errors.push(error),
  });
  const path = `/webhook/mcp-events/${randomBytes(16).toString('hex')}`;
  receiver.respondWith(async (request): Promise<ReceiverAnswer> => {
    // Ignore events for an earlier agent.
    if (!request.url.startsWith(path)) return {};
    await beforeAnswer();
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value));
    const at = new URL(request.url, receiver.url);
    const answer = await handler(new Request(at, { method: 'POST', headers, body: new Uint8Array(request.body) }));
    handled.push({ request, status: answer.status });
    return {
      status: answer.status,
      headers: Object.fromEntries(answer.headers.entries()),
      body: await answer.text(),
    };
  });
  const client = await createMCPClient({
    transport: { type: 'http', url, headers: { authorization: `Bearer ${key}` } },
    protocolVersionDiscovery,
    experimental_events: { store },
  });
  const { experimental_events: events, close } = client;
  return {
    ...seen,
    store,
    handled,
    close: () => close.call(client),
    list: () => events.list(),
    subscribe: (given: { name: string; arguments?: Record<string, string> }) =>
      events.subscribe({
        ...given,
        delivery: { mode: 'webhook', url: new URL(path, receiver.url).href },
      }),
    refresh: (id: string) => events.refresh({ id }),
    /** Stores a new secret, then refreshes with it. In this order, because the next event may be signed with it. */
    async rotate(id: string) {
      const one = await store.getById(id);
      if (one === undefined) throw new Error('there is no such subscription');
      const secret = `whsec_${randomBytes(32).toString('base64')}`;
      await store.update(one.key, { delivery: { ...one.delivery, secret } });
      return events.refresh({ id });
    },
    unsubscribe: (id: string) => events.unsubscribe({ id }),
  };
}
