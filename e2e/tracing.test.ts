import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createApiClient } from '@posthorn/testkit/api-client';
import { freePort } from '@posthorn/testkit/free-port';
import { createIngest } from '@posthorn/testkit/ingest-client';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { type Stack, startStack } from '@posthorn/testkit/stack';
import { waitFor } from '@posthorn/testkit/wait-for';
import { type CollectedSpan, type OtlpCollector, startOtlpCollector } from './otlp-collector.ts';

const PRODUCER_TRACE = '0af7651916cd43dd8448eb211c80319c';
const PRODUCER_SPAN = 'b7ad6b7169203331';

let receiver: Receiver;
let collector: OtlpCollector;
let stack: Stack | undefined;
let coverage: string;
beforeEach(async () => {
  receiver = await startReceiver();
  collector = await startOtlpCollector();
  coverage = mkdtempSync(join(tmpdir(), 'posthorn-scripts-'));
});
afterEach(async () => {
  await stack?.stop();
  stack = undefined;
  await collector.close();
  await receiver.close();
  rmSync(coverage, { recursive: true, force: true });
}, 60_000);

async function start(settings: Record<string, string>): Promise<Stack> {
  const all = { RETRY_SCHEDULE: '1', SWEEP_INTERVAL_MS: '500', ...settings };
  stack = await startStack({ settings: all });
  return stack;
}

/** Makes Node record, when a process ends, the scripts that it ran. That takes seconds. */
const recordScripts = () => ({ NODE_V8_COVERAGE: coverage });

/**
 * Ends the processes and returns the OpenTelemetry scripts that they had loaded, without the API package, which
 * prom-client uses. They must have been started with `recordScripts`.
 */
async function scriptsOfOpenTelemetry({ api, dispatchers }: Stack): Promise<string[]> {
  await Promise.all([api, ...dispatchers].map((process) => process.end('SIGTERM')));
  const files = readdirSync(coverage);
  expect(files.length).toBeGreaterThanOrEqual(2);
  return files.flatMap((file) => {
    const { result } = JSON.parse(readFileSync(join(coverage, file), 'utf8')) as { result: { url: string }[] };
    expect(result.some(({ url }) => url.endsWith('/bundle/main.js'))).toBe(true);
    return result
      .map(({ url }) => url)
      .filter((url) => /@opentelemetry.(sdk|exporter|otlp|core)|otlp-tracing/.test(url));
  });
}

test('an event is one trace from ingestion to its receiver, through a retry, linked to its producer', async () => {
  const { api, apiKey, ...started } = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...recordScripts() });
  const client = createApiClient({ ...started, baseUrl: api.url });
  const url = `${receiver.url}hooks/1?key=canary-in-the-query`;
  const { endpointId } = await client.subscribeEndpoint({ url, eventType: 'order.created' });
  receiver.respondWith((_request, nth) => ({ status: nth === 1 ? 500 : 200 }));
  const traceparent = `00-${PRODUCER_TRACE}-${PRODUCER_SPAN}-01`;
  // An event with an order always waits for its fan-out.
  const order = { 'x-ordering-key': 'customer-1' };
  const headers = { 'content-type': 'application/json', traceparent, 'idempotency-key': 'k1', ...order };
  const ingest = createIngest({ api, apiKey });
  const { body } = await ingest('event/order.created', '{"card":"canary-4242"}', headers);
  await ingest('event/order.created', '{"card":"canary-4242"}', headers);
  await receiver.received(2);

  const event = await started.db.event.findFirstOrThrow();
  const traceId = event.id.replaceAll('-', '');
  const spansOf = (name: string) => collector.spans.filter((span) => span.traceId === traceId && span.name === name);
  // Each process sends its spans in batches, which may arrive in any order.
  const arrived = (name: string, count: number) =>
    waitFor(() => spansOf(name).length === count && spansOf(name), { what: `${count} spans: ${name}` });
  const resendsOf = ({ attributes }: CollectedSpan) => Number(attributes['http.request.resend_count'] ?? 0);
  const attempts = (await arrived('delivery attempt', 2)).sort((one, other) => resendsOf(one) - resendsOf(other));
  const ingests = await arrived('ingest', 2);
  const root = ingests.find(({ parentSpanId }) => parentSpanId === undefined);
  const repeat = ingests.find((one) => one !== root);
  await arrived('fan-out', 1);

  expect(root).toMatchObject({
    service: 'posthorn-api',
    links: [{ traceId: PRODUCER_TRACE, spanId: PRODUCER_SPAN }],
    attributes: { 'messaging.message.id': body.id, 'messaging.destination.name': 'order.created' },
  });
  expect(root?.parentSpanId).toBeUndefined();
  expect(repeat).toMatchObject({ parentSpanId: root?.spanId, attributes: { 'posthorn.duplicate': true } });
  expect(spansOf('fan-out')).toMatchObject([
    { service: 'posthorn-dispatcher', parentSpanId: root?.spanId, attributes: { 'posthorn.deliveries_created': 1 } },
  ]);
  expect(attempts).toMatchObject([
    {
      parentSpanId: root?.spanId,
      isError: true,
      attributes: {
        'error.type': '500',
        'http.request.method': 'POST',
        'url.full': receiver.url,
        'http.response.status_code': 500,
        'posthorn.endpoint.id': endpointId,
      },
    },
    { parentSpanId: root?.spanId, isError: false, attributes: { 'http.request.resend_count': 1 } },
  ]);
  expect(receiver.requests.map((request) => request.headers.traceparent)).toEqual(
    attempts.map(({ spanId }) => `00-${traceId}-${spanId}-01`),
  );
  const parts = () =>
    collector.spans.filter((span) => span.parentSpanId === attempts[0]?.spanId).map(({ name }) => name);
  for (const part of ['claim', 'tcp connect', 'tls handshake', 'first byte', 'settle'])
    await waitFor(() => parts().includes(part), { what: `the span ${part}` });
  // A message that a consumer fetches is in the trace, too.
  const pulled = await client.call<{ id: string; pullKey: string }>('POST', '/endpoints', { type: 'pull' });
  const sent = await ingest(pulled.body.id, '{"card":"canary-4242"}');
  const leased = await fetch(`${api.url}/api/pull/${pulled.body.id}/lease`, {
    method: 'POST',
    headers: { authorization: `Bearer ${pulled.body.pullKey}`, 'content-type': 'application/json' },
    body: '{"waitSeconds":20}',
  });
  const { messages } = (await leased.json()) as { messages: { headers: Record<string, string> }[] };
  const handedOut = () => collector.spans.find(({ name }) => name === 'lease');
  const lease = await waitFor(handedOut, { what: 'the span of the lease' });
  expect(lease.attributes).toMatchObject({ 'messaging.message.id': sent.body.id, 'posthorn.attempt.number': 1 });
  expect(messages.map(({ headers }) => headers.traceparent)).toEqual([`00-${lease.traceId}-${lease.spanId}-01`]);
  expect(JSON.stringify(collector.spans)).not.toContain('canary');
  expect(await scriptsOfOpenTelemetry({ api, ...started } as Stack)).not.toEqual([]);
}, 60_000);

test('without an endpoint for traces the OpenTelemetry SDK is not loaded, and requests have no traceparent', async () => {
  const started = await start(recordScripts());
  const client = createApiClient({ ...started, baseUrl: started.api.url });
  await client.subscribeEndpoint({ url: receiver.url, eventType: 'order.created' });
  await createIngest(started)('event/order.created', '{}');
  const [request] = await receiver.received(1);
  expect(request?.headers).not.toHaveProperty('traceparent');
  expect(await scriptsOfOpenTelemetry(started)).toEqual([]);
}, 60_000);

test('a collector that is away delays nothing', async () => {
  const started = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}` });
  const client = createApiClient({ ...started, baseUrl: started.api.url });
  await client.subscribeEndpoint({ url: receiver.url, eventType: 'order.created' });
  await createIngest(started)('event/order.created', '{}');
  await receiver.received(1);
  await waitFor(() => started.api.output().includes('traces could not be sent'), { what: 'the log line' });
  expect(await started.api.end('SIGTERM')).toBe(0);
}, 60_000);
