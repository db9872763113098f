import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { fromId } from '@posthorn/contract/ids';
import { type ApiClient, createApiClient } from '@posthorn/testkit/api-client';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { type Stack, startStack } from '@posthorn/testkit/stack';
import { waitFor } from '@posthorn/testkit/wait-for';
import { startAiSdkAgent } from './ai-sdk-agent.ts';

// Tests the whole life of an AI SDK subscription, with processes as in production.

let stack: Stack;
let receiver: Receiver;
let client: ApiClient;
beforeAll(async () => {
  receiver = await startReceiver();
  stack = await startStack({ settings: { MCP_EVENTS: 'true' } });
  client = createApiClient({ ...stack, baseUrl: stack.api.url });
  await client.call('POST', '/event-types', { name: 'order.shipped', publishIn: [stack.environmentId] });
  await client.call('PUT', `/environments/${stack.environmentId}/agents`, { enabled: true });
}, 120_000);
afterAll(async () => {
  await stack?.stop();
  await receiver?.close();
}, 60_000);

test('the AI SDK gets verified events after a subscription, a refresh with a new secret and the kill of a dispatcher, and no byte at or after the expiry', async () => {
  const { environmentId } = stack;
  const made = await client.call<{ key: string }>('POST', '/agent-keys', { name: 'AI SDK', environmentId });
  let onRequest = async (): Promise<void> => undefined;
  const url = `${stack.api.url}/mcp/events/${environmentId}`;
  const agent = await startAiSdkAgent({ receiver, url, key: made.body.key, beforeAnswer: () => onRequest() });
  try {
    let sent = 0;
    const send = async () => {
      sent += 1;
      const body = { eventType: 'order.shipped', data: { number: sent } };
      return (await client.call<{ id: string }>('POST', '/events', body)).body.id;
    };
    // The AI SDK's handler shows an event after it has verified the signature with the secret in its store.
    const arrival = (eventId: string) =>
      waitFor(() => agent.events.some((event) => event.eventId === eventId), {
        what: `the event ${eventId}`,
        timeoutMs: 60_000,
      });

    const { id } = await agent.subscribe({ name: 'order.shipped' });
    await arrival(await send());

    await agent.rotate(id);
    await arrival(await send());

    const [victim] = stack.dispatchers.splice(0, 1);
    onRequest = async () => {
      onRequest = async () => undefined;
      await victim?.end('SIGKILL');
    };
    const interrupted = await send();
    await victim?.ended;
    await stack.startDispatcher();
    await arrival(interrupted);
    await arrival(await send());

    // While its store has this status, the handler answers 503, so retries wait when the subscription expires.
    const [stored] = agent.store.all();
    await agent.store.update(stored?.key ?? '', { status: 'pending' });
    const rows = await stack.db.$queryRaw<{ endpointId: string; expiresAt: Date }[]>`
      update agent_subscription set expires_at = date_trunc('milliseconds', now() + interval '3 seconds')
      where identity = ${id} returning endpoint_id as "endpointId", expires_at as "expiresAt"`;
    const { endpointId = '', expiresAt = new Date(0) } = rows[0] ?? {};
    while (Date.now() < expiresAt.getTime() + 1_000) await send();
    const open = () => stack.db.delivery.count({ where: { endpointId, dueAt: { not: null } } });
    await waitFor(async () => (await open()) === 0, { what: 'every delivery to end', timeoutMs: 60_000 });
    const late = agent.handled.filter(({ request }) => request.at >= expiresAt);
    expect(late).toEqual([]);
    const ended = { endpointId, failureReason: 'subscription_ended' };
    expect(await stack.db.delivery.count({ where: ended })).toBeGreaterThan(0);
    expect(agent.terminations).toEqual([]);
    expect(agent.errors).toEqual([]);
    const { body } = await client.call('GET', `/agent-subscriptions/${id}`);
    expect(body).toMatchObject({ status: 'ended', endReason: 'expired' });
    expect(fromId('ep', (body as { endpointId: string }).endpointId)).toBe(endpointId);
  } finally {
    await agent.close();
  }
}, 180_000);
