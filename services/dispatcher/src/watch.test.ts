import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import type { Db } from '@posthorn/db/client';
import { readDueWork } from '@posthorn/ledger/due-work';
import { systemClock } from '@posthorn/runtime/clock';
import { createTestDatabase, type TestDatabase } from '@posthorn/testkit/database';
import { waitFor } from '@posthorn/testkit/wait-for';
import { startWatch, type Watch, type WatchDeps } from './watch.ts';

let database: TestDatabase;
let db: Db;
let watch: Watch;
/** The number of looks that have ended. */
let looks: number;
let stops: (() => Promise<void> | void)[];
/** The number of events that each round took. */
let rounds: number[];
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
afterAll(() => database.drop());
beforeEach(() => {
  [looks, stops, rounds] = [0, [], []];
  watch = start(async () => {
    const due = await readDueWork(db);
    looks += 1;
    return due;
  });
});
afterEach(async () => {
  for (const stop of stops.reverse()) await stop();
});

function start(look: WatchDeps['look']): Watch {
  return startWatch({
    look,
    clock: systemClock,
    everyMs: 50,
    lifecycle: { onStop: (_part, stop) => void stops.push(stop) },
    quiet: { warn: () => {} },
  });
}

const lookOften = async () => {
  const from = looks;
  await waitFor(() => looks >= from + 3, { what: 'three looks' });
};
const schedule = (inMs: number) =>
  db.$executeRaw`insert into scheduled_event (event_id, environment_id, deliver_at)
    values (${newUuid(new Date())}::uuid, gen_random_uuid(), now() + make_interval(secs => ${inMs / 1_000}::float8))`;

function takeEvents(of = watch) {
  const repeating = of.repeat('scheduledEvents', {
    async round() {
      rounds.push(await db.$executeRaw`delete from scheduled_event where deliver_at <= now()`);
      return 5;
    },
    waitAfterErrorMs: 5,
    onError: () => {},
  });
  stops.push(() => repeating.stop());
  return repeating;
}

test('rounds begin when their work is due, not earlier, and while there is none they make no statement', async () => {
  await lookOften();
  takeEvents();
  await lookOften();
  expect(rounds).toEqual([]);
  await schedule(300);
  await waitFor(() => rounds.length > 0, { what: 'the event' });
  expect(rounds[0]).toBe(1);
  await lookOften();
  const { length } = rounds;
  await lookOften();
  expect(rounds).toHaveLength(length);
});

test('a round that is hurried begins whatever was seen last', async () => {
  await lookOften();
  const repeating = takeEvents();
  await schedule(60_000);
  await lookOften();
  expect(rounds).toEqual([]);
  repeating.hurry();
  await waitFor(() => rounds.length > 0, { what: 'the round' });
  await db.scheduledEvent.deleteMany();
});

test('while nobody could look, the rounds go on', async () => {
  takeEvents(start(() => Promise.reject(new Error('away'))));
  await waitFor(() => rounds.length > 3, { what: 'some rounds' });
});
