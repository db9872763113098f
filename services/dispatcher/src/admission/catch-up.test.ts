import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Db } from '@posthorn/db/client';
import { endCatchUp } from '@posthorn/ledger/catch-up';
import type { DeliveryTarget, EndpointCache } from '@posthorn/messages/endpoint-cache';
import { createTestDatabase } from '@posthorn/testkit/database';
import { type EndpointRow, insertDelivery, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { waitFor } from '@posthorn/testkit/wait-for';
import { type CatchUp, startCatchUp } from './catch-up.ts';

const database = await createTestDatabase();
const { db } = database;
afterAll(() => database.drop());

let endpoint: EndpointRow;
let running: CatchUp[];
let absences: number;
let reachable: (() => void)[];
let statements: number;
let own: Pick<DeliveryTarget, 'rateLimit' | 'catchUp'>;
beforeEach(async () => {
  await db.$executeRaw`truncate catch_up, catch_up_endpoint, delivery, event`;
  endpoint = await insertEndpoint(db);
  [running, absences, reachable, statements] = [[], 0, [], 0];
  own = { rateLimit: null, catchUp: 'paced' };
});
afterEach(() => Promise.all(running.map((one) => one.stop())));

/** A dispatcher, and the limit under which it sends to the endpoint. */
function start(factor = 2) {
  const counting = (...given: Parameters<Db['$queryRaw']>) => {
    statements += 1;
    return db.$queryRaw(...given);
  };
  const catchUp = startCatchUp({
    db: { $queryRaw: counting } as Db,
    factor,
    outage: { absences: () => absences },
    producer: { onReachable: (listener) => void reachable.push(listener) },
    logger: { info: () => {} },
    quiet: { warn: () => {} },
  });
  running.push(catchUp);
  const target = () => ({ ...own, endpointId: endpoint.endpointId }) as DeliveryTarget;
  const cache: EndpointCache = {
    limitsOf: async () => target(),
    atRevision: async () => ({ kind: 'found', target: target() }),
    isAtRevision: async () => true,
  };
  const paced = catchUp.pace(cache);
  return { catchUp, limitOf: async () => (await paced.limitsOf(endpoint.endpointId))?.rateLimit ?? null };
}

const keep = () => insertDelivery(db, endpoint, { dueInSeconds: -60 });
const PACE = { limit: 50, periodSeconds: 10 };

test('a dispatcher that starts after an outage paces the first delivery that it looks at', async () => {
  await keep();
  expect(await start().limitOf()).toEqual(PACE);
});

test.each<[string, () => void]>([
  [
    'Postgres was away',
    () => {
      absences += 1;
    },
  ],
  [
    'Redis was away',
    () => {
      for (const listener of reachable) listener();
    },
  ],
])('once %s, the next look waits until it is known whether there was an outage', async (_name, happens) => {
  const { limitOf } = start();
  expect(await limitOf()).toBeNull();
  await keep();
  expect(await limitOf()).toBeNull();
  happens();
  expect(await limitOf()).toEqual(PACE);
});

test('without an outage, a dispatcher makes one statement at its start, and none later', async () => {
  const { limitOf } = start();
  for (let n = 0; n < 3; n += 1) expect(await limitOf()).toBeNull();
  expect(statements).toBe(1);
});

test('the pace is at most the own limit, and none applies to an endpoint that wants all at once or with the factor 0', async () => {
  await keep();
  const { limitOf } = start();
  own = { ...own, rateLimit: { limit: 100, periodSeconds: 60 } };
  expect(await limitOf()).toEqual({ limit: 100, periodSeconds: 60 });
  own = { ...own, rateLimit: { limit: 100, periodSeconds: 1 } };
  expect(await limitOf()).toEqual(PACE);
  own = { rateLimit: null, catchUp: 'at-once' };
  expect(await limitOf()).toBeNull();
  own = { rateLimit: null, catchUp: 'paced' };
  expect(await start(0).limitOf()).toBeNull();
});

test('a dispatcher without a break learns of the outage from a turn, and each one of its end', async () => {
  const without = start();
  expect(await without.limitOf()).toBeNull();
  await keep();
  const with_ = start();
  expect(await with_.limitOf()).toEqual(PACE);
  const [gap] = await db.$queryRaw<{ since: Date; until: Date }[]>`select since, until from catch_up`;
  without.catchUp.learn(gap);
  expect(await without.limitOf()).toEqual(PACE);
  await endCatchUp(db);
  for (const { limitOf } of [without, with_]) {
    await waitFor(async () => (await limitOf()) === null, { what: 'the end' });
  }
});
