import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, expect, test } from '@jest/globals';
import { createTestDatabase } from '@posthorn/testkit/database';
import { waitFor } from '@posthorn/testkit/wait-for';
import { openProcess, type Process } from '../../contract/postgres-maker.ts';
import type { HandOverJob } from '../jobs.ts';
import { MOST_BODY } from './bus.ts';
import { consumeOffers } from './consume-offers.ts';
import { bytesOfOffers, MOST_OFFERS, offersOf } from './offers.ts';
import { createProducer } from './producer.ts';

const { databaseUrl, drop } = await createTestDatabase();
let opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.reverse()) await close();
  opened = [];
});
afterAll(() => drop());

const leaseToken = randomUUID();
const offers = (count: number): HandOverJob['deliveries'] =>
  Array.from({ length: count }, () => ({
    deliveryId: randomUUID(),
    eventId: randomUUID(),
    endpointId: randomUUID(),
    workspaceId: randomUUID(),
  }));

function open(): Process['shared'] {
  const { shared, close } = openProcess(databaseUrl);
  opened.push(close);
  return shared;
}

/** A dispatcher with ten slots whose attempts never end. Returns the jobs that it got. */
function dispatcher(room: number): HandOverJob[] {
  const jobs: HandOverJob[] = [];
  const consumer = consumeOffers({
    ...open(),
    handle: (job) => {
      jobs.push(job);
      return new Promise(() => {});
    },
    onJobError: () => {},
    concurrency: 1,
    room: () => room,
    slotCount: 10,
    slowEndpoints: () => new Map(),
  });
  opened.push(() => consumer.close());
  return jobs;
}

/** Hands offers over, once this many dispatchers are visible. */
async function handOver(count: number, dispatchers: number): Promise<void> {
  const shared = open();
  const producer = createProducer({ ...shared, tellHere: () => false });
  const seen = () => shared.presence.workers().filter(({ hasBus, slotCount }) => hasBus && slotCount > 0);
  await waitFor(() => shared.bus.isUp() && seen().length === dispatchers, { what: 'the dispatchers' });
  const deliveries = offers(count);
  await producer.handOver([{ workspaceId: 'w', eventType: 'order.paid', deliveries }], leaseToken);
}

const sizes = (jobs: readonly HandOverJob[]) => jobs.map(({ deliveries }) => deliveries.length);

test('the most offers of a message fit into it, and arrive as they were', () => {
  const deliveries = offers(MOST_OFFERS);
  const bytes = bytesOfOffers({ deliveries, leaseToken });
  expect(bytes.length).toBeLessThanOrEqual(MOST_BODY);
  expect(offersOf(bytes)).toEqual({ deliveries, leaseToken });
});

test('of more offers than a small dispatcher can hold, it takes twice its slots', async () => {
  const jobs = dispatcher(5);
  await handOver(60, 1);
  const taken = () => sizes(jobs).reduce((sum, size) => sum + size, 0);
  await waitFor(() => taken() >= 20, { what: 'the offers' });
  expect(taken()).toBe(20);
});

test('a burst is cut so that each dispatcher gets what it has room for', async () => {
  const [one, other] = [dispatcher(5), dispatcher(4)];
  await handOver(9, 2);
  await waitFor(() => one.length > 0 && other.length > 0, { what: 'the offers' });
  expect([sizes(one), sizes(other)]).toEqual([[5], [4]]);
});
