import { get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { waitFor } from '@posthorn/testkit/wait-for';
import { codeOf, type Service, startService, unique } from './service.ts';

let service: Service;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
  receiver.respondWith(({ url }) => ({ status: Number(/status=(\d+)/.exec(url)?.[1] ?? 200) }));
  service = await startService({ dispatchers: 1 });
});
afterAll(async () => {
  await service.stop();
  await receiver.close();
});

test('docs/interface.md, Statistics: events, attempts and ended deliveries are counted within 5 seconds', async () => {
  const { ingest, manage, make, makeRoute } = service.workspace;
  const { eventType, endpointId } = await makeRoute(receiver.url);
  const broken = await make('/endpoints', { url: `${receiver.url}?status=500`, config: { retrySchedule: [] } });
  await ingest(`event/${eventType}`, { n: 1 });
  await ingest(`event/${eventType}`, { n: 2 });
  await ingest(broken, { n: 3 });
  await waitFor(() => receiver.requests.length === 3, { what: 'the requests' });
  const counted = async () => (await manage('GET', '/stats')).body;
  const { totals } = await waitFor(
    async () => {
      const body = await counted();
      return body.totals.ended === 3 && body.totals.ingested === 3 && body;
    },
    { what: 'the counts' },
  );
  expect(totals).toMatchObject({
    ...{ ingested: 3, attempts: 3, succeeded: 2, failed: 1, delivered: 2, deadLettered: 1, ended: 3 },
    ...{ durationMs: { p50: expect.any(Number) }, delayMs: { p99: expect.any(Number) } },
  });
  const { body } = await manage('GET', '/stats?group_by=endpoint');
  expect(body.groups.map(({ key }: { key: string }) => key)).toEqual([endpointId, broken]);
  const listed = (await manage('GET', `/endpoints/${broken}?include=stats`)).body.stats;
  expect(listed).toMatchObject({ lastSuccessAt: null, failureRate: 1 });
  // A new hour may have begun meanwhile, so only hours with attempts are compared.
  type Hour = { succeeded: number; failed: number };
  const counted24 = listed.hours.filter(({ succeeded, failed }: Hour) => succeeded + failed > 0);
  expect(counted24).toMatchObject([{ succeeded: 0, failed: 1 }]);
});

test('docs/interface.md, Live view: a stream tells of an event and of its delivery until the receiver has it', async () => {
  const { m, managementToken, ingest, makeRoute } = service.workspace;
  const { eventType } = await makeRoute(`${receiver.url}?${unique('live')}`);
  const headers = { authorization: `Bearer ${managementToken}` };
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${service.stack.api.url}${m}/live`, { headers }, resolve).on('error', reject);
  });
  let text = '';
  reply.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  reply.on('error', () => {});
  expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8']);
  // Two processes report the event and the delivery, so either may come first. A busy process may learn too late that
  // the stream has begun and miss the first event, so the test sends another one.
  const isTold = async () => {
    const { id } = (await ingest(`event/${eventType}`, { n: 1 })).body;
    const isDelivered = (line: string) => line.includes(`"eventId":"${id}"`) && line.includes('"status":"delivered"');
    const told = () => text.includes(`event: event\ndata: {"id":"${id}"`) && text.split('\n').some(isDelivered);
    const what = `event ${id} and its delivery in the stream`;
    return waitFor(told, { what, timeoutMs: 4_000 });
  };
  await waitFor(isTold, { what: 'an event and its delivery in the stream' });
  reply.destroy();
  expect(codeOf(await service.workspace.manage('GET', '/live?status=lost'))).toBe('validation_error');
});
