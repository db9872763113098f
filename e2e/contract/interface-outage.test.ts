import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { endCatchUp } from '@posthorn/ledger/catch-up';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { waitFor } from '@posthorn/testkit/wait-for';
import { type Service, startService } from './service.ts';

let service: Service;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
  service = await startService();
});
afterAll(async () => {
  await service.stop();
  await receiver.close();
});

/** A minute of deliveries at the endpoint's pace. An operator ends the pace before. */
const KEPT = 300;
const FEW = 20;
/** The limit is long, because the machine may be slow. */
const timeoutMs = 60_000;

test('docs/interface.md, After an outage of Posthorn: what waited is sent at a pace, new events pass it, and an endpoint may have all at once', async () => {
  const { ingest, manage, makeRoute } = service.workspace;
  const { db } = service.stack;
  const { eventType } = await makeRoute(`${receiver.url}?paced`);
  const other = await makeRoute(`${receiver.url}?at-once`, { config: { catchUp: 'at-once' } });
  const received = (query: string) =>
    receiver.requests.filter(({ url }) => url.endsWith(`?${query}`)).map(({ body }) => JSON.parse(body.toString()).n);
  const send = (type: string, count: number) =>
    Promise.all(Array.from({ length: count }, (_, n) => ingest(`event/${type}`, { n })));
  await send(eventType, KEPT);
  await send(other.eventType, FEW);
  // No dispatcher runs, so the events seem to have waited for a minute: for their fan-out or, if the queue is in
  // Postgres, for their attempt.
  await db.$executeRaw`update pending_fan_out set enqueued_at = enqueued_at - interval '1 minute'`;
  await db.$executeRaw`update delivery set due_at = due_at - interval '1 minute' where due_at <= now()`;
  await service.stack.startDispatcher();
  await waitFor(() => received('at-once').length === FEW, { what: 'all that is sent at once', timeoutMs });
  const waiting = async () => (await manage('GET', '/stats')).body.catchingUp;
  await waitFor(waiting, { what: 'what waits', timeoutMs });
  expect(await waiting()).toMatchObject({ perSecond: 5, waiting: expect.any(Number) });
  await ingest(`event/${eventType}`, { n: 'new' });
  await waitFor(() => received('paced').includes('new'), { what: 'the new event', timeoutMs });
  expect(received('paced').length).toBeLessThan(KEPT);
  await endCatchUp(db);
  await waitFor(() => received('paced').length === KEPT + 1, { what: 'all that waited', timeoutMs });
  expect(new Set(received('paced')).size).toBe(KEPT + 1);
  expect(await waiting()).toBeNull();
});
