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

/** A dispatcher with ten slots whose attempts never end, and the jobs that it got. */
function dispatcher(room: number, ended = new Promise<void>(() => {})) {
  const shared = open();
  const jobs: HandOverJob[] = [];
  const consumer = consumeOffers({
    ...shared,
    handle: (job) => {
      jobs.push(job);
      return ended;
    },
    onJobError: () => {},
    concurrency: 1,
    room: () => room,
    slotCount: 10,
    slowEndpoints: () => new Map(),
  });
  opened.push(() => consumer.close());
  return { jobs, consumer, bus: shared.bus };
}

/** A process that hands offers over, once this many dispatchers are visible. */
async function api(dispatchers: number) {
  const shared = open();
  const producer = createProducer({ ...shared, tellHere: () => false });
  const seen = () => shared.presence.workers().filter(({ hasBus, slotCount }) => hasBus && slotCount > 0).length;
  await waitFor(() => shared.bus.isUp() && seen() === dispatchers, { what: 'the dispatchers' });
  const handOver = (count: number) =>
    producer.handOver([{ workspaceId: 'w', eventType: 'order.paid', deliveries: offers(count) }], leaseToken);
  return { seen, handOver };
}

const sizes = (jobs: readonly HandOverJob[]) => jobs.map(({ deliveries }) => deliveries.length);

test('the most offers of a message fit into it, and arrive as they were', () => {
  const deliveries = offers(MOST_OFFERS);
  const bytes = bytesOfOffers({ deliveries, leaseToken });
  expect(bytes.length).toBeLessThanOrEqual(MOST_BODY);
  expect(offersOf(bytes)).toEqual({ deliveries, leaseToken });
});

test('of more offers than a small dispatcher can hold, it takes twice its slots, and counts messages that it dropped', async () => {
  const { jobs, bus } = dispatcher(5);
  await (await api(1)).handOver(60);
  const taken = () => sizes(jobs).reduce((sum, size) => sum + size, 0);
  await waitFor(() => taken() >= 20, { what: 'the offers' });
  expect(taken()).toBe(20);
  await waitFor(() => bus.figures().dropped > 0, { what: 'the count' });
});

test('a burst is cut so that each dispatcher gets what it has room for', async () => {
  const [one, other] = [dispatcher(5).jobs, dispatcher(4).jobs];
  await (await api(2)).handOver(9);
  await waitFor(() => one.length > 0 && other.length > 0, { what: 'the offers' });
  expect([sizes(one), sizes(other)]).toEqual([[5], [4]]);
});

test('a dispatcher that stops is hidden, and still handles the offers of processes that do not know it', async () => {
  const { jobs, consumer } = dispatcher(5, Promise.resolve());
  const { seen, handOver } = await api(1);
  const drained = consumer.drain();
  await handOver(3);
  await waitFor(() => jobs.length > 0, { what: 'the offers' });
  expect(sizes(jobs)).toEqual([3]);
  await waitFor(() => seen() === 0, { what: 'the end of the dispatcher' });
  await drained;
});
