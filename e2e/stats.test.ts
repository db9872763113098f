import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ApiClient, createApiClient } from '@posthorn/testkit/api-client';
import { createIngest, type Ingest } from '@posthorn/testkit/ingest-client';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { type Stack, startStack } from '@posthorn/testkit/stack';
import { waitFor } from '@posthorn/testkit/wait-for';

let receiver: Receiver;
let stack: Stack;
let client: ApiClient;
let ingest: Ingest;
beforeAll(async () => {
  receiver = await startReceiver();
  // A lease lasts as long as an attempt may. With a short timeout, deliveries of a killed dispatcher are
  // attempted again sooner.
  const settings = { RETRY_SCHEDULE: '1', SWEEP_INTERVAL_MS: '500', DELIVERY_TIMEOUT_SECONDS: '3' };
  stack = await startStack({ dispatchers: 2, settings });
  client = createApiClient({ ...stack, baseUrl: stack.api.url });
  ingest = createIngest(stack);
}, 60_000);
afterAll(async () => {
  await stack.stop();
  await receiver.close();
}, 60_000);

type Totals = { ingested: number; attempts: number; succeeded: number; failed: number; ended: number };
const NAMES = ['ingested', 'attempts', 'succeeded', 'failed', 'ended'] as const;
const totals = async () => (await client.call<{ totals: Totals }>('GET', '/stats')).body.totals;

/** The same totals, counted from the tables. */
async function truth(): Promise<Totals> {
  const [ingested, attempts, succeeded, ended] = await Promise.all([
    stack.db.event.count(),
    stack.db.attempt.count(),
    stack.db.attempt.count({ where: { succeeded: true } }),
    stack.db.delivery.count({ where: { dueAt: null } }),
  ]);
  return { ingested, attempts, succeeded, failed: attempts - succeeded, ended };
}

const isSettled = async () => (await stack.db.delivery.count({ where: { dueAt: { not: null } } })) === 0;

test('the counts of three processes become the truth; a killed one loses only what it had not yet written', async () => {
  await client.subscribeEndpoint({ url: receiver.url, eventType: 'order.created' });
  await client.subscribeEndpoint({ url: new URL('/second', receiver.url).href, eventType: 'order.created' });
  // Every fourth request fails once or twice.
  let requests = 0;
  receiver.respondWith(() => {
    requests += 1;
    return { status: requests % 4 === 0 ? 500 : 200 };
  });
  const send = async (events: number) => {
    const sent = await Promise.all(
      Array.from({ length: events }, (_, n) => ingest('event/order.created', `{"n":${n}}`)),
    );
    expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([202]));
  };

  await send(150);
  await waitFor(async () => (await stack.db.pendingFanOut.count()) === 0 && (await isSettled()), {
    what: 'the deliveries to end',
    timeoutMs: 30_000,
  });
  const expected = await truth();
  // Each process writes its own counts, and the order varies.
  const isTrue = async () => {
    const told = await totals();
    return NAMES.every((name) => told[name] === expected[name]);
  };
  await waitFor(isTrue, { what: `the counts to be ${JSON.stringify(expected)}` });

  const [killed] = stack.dispatchers;
  const sending = send(150);
  await waitFor(async () => (await stack.db.attempt.count()) > expected.attempts + 50, { what: 'some attempts' });
  const written = (await totals()).attempts;
  await killed?.end('SIGKILL');
  const [{ now: killedAt } = { now: new Date() }] = await stack.db.$queryRaw<{ now: Date }[]>`
    select clock_timestamp() as now`;
  await sending;
  await waitFor(async () => (await stack.db.pendingFanOut.count()) === 0 && (await isSettled()), {
    what: 'the deliveries to end',
    timeoutMs: 60_000,
  });
  const after = await truth();
  await waitFor(async () => (await totals()).ingested === after.ingested, { what: 'the counts' });
  // Attempts that were written before the kill, and those of the survivor after it, with a margin for the clocks.
  const afterKill = new Date(killedAt.getTime() + 100);
  const survivors = await stack.db.attempt.count({ where: { startedAt: { gt: afterKill } } });
  const counted = await waitFor(
    async () => {
      const told = await totals();
      return told.attempts >= written + survivors && told;
    },
    { what: 'the counts of the survivor' },
  );
  expect(counted.attempts).toBeLessThanOrEqual(after.attempts);
  expect(counted.attempts).toBeGreaterThan(expected.attempts);
}, 150_000);
