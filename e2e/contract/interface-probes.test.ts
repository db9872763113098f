import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { waitFor } from '@posthorn/testkit/wait-for';
import { Webhook } from 'standardwebhooks';
import { codeOf, type Service, startService } from './service.ts';

let service: Service;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
  service = await startService({ dispatchers: 2, settings: { RETRY_SCHEDULE: '1,1' } });
}, 60_000);
afterAll(async () => {
  await service.stop();
  await receiver.close();
}, 60_000);

beforeEach(() => {
  receiver.requests.length = 0;
  receiver.respondWith(() => ({}));
});

const manage: Service['workspace']['manage'] = (...given) => service.workspace.manage(...given);
const newEndpoint = (config: object = {}) => service.workspace.make('/endpoints', { url: receiver.url, config });

async function lastDelivery(endpointId: string) {
  const { body } = await manage('GET', `/endpoints/${endpointId}/deliveries?limit=1`);
  return (await manage('GET', `/deliveries/${body.deliveries[0].id}?include=attempts,payload`)).body;
}

test('docs/interface.md, Test: it is sent at once, signed, also to an inactive endpoint, and answered with its attempt', async () => {
  const { id, secret } = (await manage('POST', '/endpoints', { url: receiver.url })).body;
  await manage('PATCH', `/endpoints/${id}`, { isActive: false });
  const { status, body } = await manage('POST', `/endpoints/${id}/test`, { payload: { orderId: 'A-17' } });
  expect([status, body.trigger, body.outcome, body.number, body.responseStatus]).toEqual([
    200,
    'test',
    'success',
    1,
    200,
  ]);
  const [request, ...others] = receiver.requests;
  expect([request?.body.toString(), others]).toEqual(['{"orderId":"A-17"}', []]);
  const verified = new Webhook(secret).verify(request?.body ?? '', request?.headers as Record<string, string>);
  expect(verified).toEqual({ orderId: 'A-17' });
});

test('docs/interface.md, Test: its delivery is marked, and a failed one is dead_letter, changes no health and is not retried', async () => {
  receiver.respondWith(() => ({ status: 410 }));
  const endpointId = await newEndpoint();
  const { body } = await manage('POST', `/endpoints/${endpointId}/test`);
  expect(body).toMatchObject({ outcome: 'failure', errorCode: 'http_status', responseStatus: 410 });
  expect(await lastDelivery(endpointId)).toMatchObject({
    isTest: true,
    status: 'dead_letter',
    failureReason: 'retries_exhausted',
    nextRetryAt: null,
    attempts: [body],
  });
  const { isActive, health } = (await manage('GET', `/endpoints/${endpointId}`)).body;
  expect([isActive, health]).toEqual([true, 'healthy']);
  const id = (await lastDelivery(endpointId)).id;
  expect(codeOf(await manage('POST', `/deliveries/${id}/retry`))).toBe('validation_error');
});

test('docs/interface.md, Doctor: a receiver that refuses forged requests is healthy, one that does not is broken', async () => {
  // The receiver listens on one address. `localhost` would have two, which is a warning.
  const url = `https://127.0.0.1:${receiver.port}/`;
  const { id, secret } = (await manage('POST', '/endpoints', { url })).body;
  receiver.respondWith(({ body, headers }) => {
    try {
      new Webhook(secret).verify(body, headers as Record<string, string>);
      return { status: 204 };
    } catch {
      return { status: 401 }; // The library refused it.
    }
  });
  const careful = await manage('POST', `/endpoints/${id}/doctor`);
  expect(careful.body.checks.map(({ name }: { name: string }) => name)).toEqual([
    ...['dns', 'tcp', 'tls', 'certificate', 'http', 'redirect', 'latency', 'signature', 'replay', 'body'],
  ]);
  // On a busy machine, a response may take longer than 2 s, which is a warning.
  const warned = careful.body.checks.filter(({ outcome }: { outcome: string }) => outcome === 'warn');
  const isSlow = warned.length === 1 && warned[0].name === 'latency';
  expect([careful.status, careful.body.verdict]).toEqual([200, isSlow ? 'warning' : 'healthy']);
  expect(codeOf(await manage('POST', `/endpoints/${id}/doctor`))).toBe('rate_limited');
  receiver.respondWith(() => ({}));
  const { body } = await manage('POST', `/endpoints/${await newEndpoint()}/doctor`);
  const failed = body.checks.filter(({ outcome }: { outcome: string }) => outcome === 'fail');
  expect([body.verdict, failed.map(({ name }: { name: string }) => name)]).toEqual(['broken', ['signature', 'replay']]);
});

test('docs/interface.md, Playground: a delivery goes through everything but the socket, retries included', async () => {
  const config = { playground: { failFirst: 2, status: 202, body: 'thanks' } };
  const { id, url } = (await manage('POST', '/endpoints', { type: 'playground', config })).body;
  const sent = await service.workspace.ingest(id, { n: 1 });
  const detail = await waitFor(
    async () => {
      const { body } = await manage('GET', `/deliveries/${sent.body.deliveryId}?include=attempts`);
      return body.status === 'delivered' && body;
    },
    { what: 'the third attempt', timeoutMs: 20_000 },
  );
  expect(detail.attempts.map(({ responseStatus }: { responseStatus: number }) => responseStatus)).toEqual([
    500, 500, 202,
  ]);
  const [, , last] = detail.attempts;
  expect(last).toMatchObject({
    url,
    requestBody: Buffer.from('{"n":1}').toString('base64'),
    requestHeaders: { 'webhook-attempt': '3' },
    responseBody: 'thanks',
    remoteAddress: null,
    timings: { dnsMs: null, connectMs: null, tlsMs: null, ttfbMs: null },
  });
  const tested = await manage('POST', `/endpoints/${id}/test`, { payload: 1 });
  expect(tested.body).toMatchObject({ trigger: 'test', responseStatus: 500, requestBody: 'MQ==' });
});

test('docs/interface.md, Playground: the sent body needs the right to payloads, and showing it is entered in the audit log', async () => {
  const { id } = (await manage('POST', '/endpoints', { type: 'playground' })).body;
  await manage('POST', `/endpoints/${id}/test`, { payload: 'canary' });
  const { id: deliveryId } = (await manage('GET', `/endpoints/${id}/deliveries`)).body.deliveries[0];
  const viewer = await service.workspace.sessionOf('viewer');
  const path = `/deliveries/${deliveryId}/attempts`;
  expect((await service.workspace.dashboard(viewer, 'GET', path)).body[0].requestBody).toBeNull();
  const views = async () => {
    const { data } = (await manage('GET', '/audit-logs?action=payload.viewed')).body;
    return data.filter(({ resourceId }: { resourceId: string }) => resourceId === deliveryId).length;
  };
  // The response of the test has shown the body once.
  expect(await views()).toBe(1);
  const admin = await service.workspace.sessionOf('admin');
  const { body } = await service.workspace.dashboard(admin, 'GET', path);
  expect(body[0].requestBody).toBe(Buffer.from('"canary"').toString('base64'));
  expect(await views()).toBe(2);
});
