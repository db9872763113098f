import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ApiClient, createApiClient } from '@posthorn/testkit/api-client';
import { type ConnectProxy, startConnectProxy } from '@posthorn/testkit/connect-proxy';
import { createIngest, type Ingest } from '@posthorn/testkit/ingest-client';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { waitFor } from '@posthorn/testkit/wait-for';
import { type Services, startServices } from '../services-in-process.ts';

let receiver: Receiver;
let proxy: ConnectProxy;
let stack: Services;
let client: ApiClient;
let ingest: Ingest;
beforeAll(async () => {
  receiver = await startReceiver();
  proxy = await startConnectProxy({ tls: true, user: 'posthorn', password: 'canary-proxy-password' });
  const settings = { EGRESS_PROXY_URL: proxy.url, EGRESS_PROXY_CA: proxy.caPem };
  stack = await startServices({ settings });
  client = createApiClient({ ...stack, baseUrl: stack.api.url });
  ingest = createIngest(stack);
}, 60_000);
afterAll(async () => {
  await stack.stop();
  await proxy.close();
  await receiver.close();
}, 60_000);

type Delivery = { status: string; totalAttempts: number; nextRetryAt: string | null };

test('docs/interface.md, Egress rules: deliveries go through the proxy, and wait without an attempt while it fails', async () => {
  const { endpointId } = await client.subscribeEndpoint({ url: receiver.url, eventType: 'proxy.tested' });
  await ingest(endpointId, JSON.stringify({ through: 'proxy' }));
  await receiver.received(1);
  expect(proxy.targets).toContain(`127.0.0.1:${receiver.port}`);
  const newest = async () => {
    const { body } = await client.call<{ deliveries: Delivery[] }>('GET', `/endpoints/${endpointId}/deliveries`);
    return body.deliveries[0];
  };
  await waitFor(async () => (await newest())?.status === 'delivered', { what: 'the delivery' });

  proxy.respondWith(() => ({ status: 502 }));
  // This response ends the kept connection, so that the next request needs the proxy.
  const { connections } = receiver;
  receiver.respondWith(() => ({ status: 200, headers: { connection: 'close' } }));
  await ingest(endpointId, JSON.stringify({ last: 'on the kept connection' }));
  await receiver.received(2);
  await ingest(endpointId, JSON.stringify({ waits: true }));
  const waits = await waitFor(
    async () => {
      const one = await newest();
      const seconds = (Date.parse(one?.nextRetryAt ?? '') - Date.now()) / 1_000;
      return one?.status === 'pending' && seconds > 15 && one;
    },
    { what: 'the delivery to wait' },
  );
  expect(waits).toMatchObject({ status: 'pending', totalAttempts: 0 });
  expect([receiver.requests.length, connections.opened]).toEqual([2, 1]);

  const tested = await client.call<{ attempt: { errorCode: string; errorMessage: string } }>(
    'POST',
    `/endpoints/${endpointId}/test`,
    {},
  );
  expect(JSON.stringify(tested.body)).toContain('proxy_error');
  const { body: endpoint } = await client.call<{ health: string }>('GET', `/endpoints/${endpointId}`);
  expect(endpoint.health).toBe('healthy');
  expect(stack.dispatchers.map(({ output }) => output()).join('')).not.toContain('canary');
});
