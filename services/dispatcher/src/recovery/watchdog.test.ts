import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { parseSealingKeys } from '@posthorn/crypto/seal';
import { withConnection } from '@posthorn/db/connection';
import { openQueues } from '@posthorn/queue/open-queues';
import type { Producer } from '@posthorn/queue/producer';
import { createProducer } from '@posthorn/queue/redis/producer';
import { systemClock } from '@posthorn/runtime/clock';
import type { Repeating } from '@posthorn/runtime/repeat';
import { createTestDatabase, type TestDatabase, testRedis } from '@posthorn/testkit/database';
import { insertDelivery, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { waitFor } from '@posthorn/testkit/wait-for';
import { TIMING } from '../timing.ts';
import { createWatchdog, startWatchdog, type WatchedQueue } from './watchdog.ts';

const SEALING_KEYS = parseSealingKeys(`test:${Buffer.alloc(32, 7).toString('base64')}`);

describe('a round', () => {
  let now: number;
  let state: { progress: number; isFull: boolean; storesAnswer: boolean; hasDueWork: boolean; isPaused: boolean };
  let acts: string[];
  let round: () => Promise<void>;
  beforeEach(() => {
    now = 0;
    acts = [];
    state = { progress: 0, isFull: false, storesAnswer: true, hasDueWork: true, isPaused: false };
    round = createWatchdog({
      timing: TIMING,
      clock: { ...systemClock, monotonicMs: () => now },
      progress: () => state.progress,
      isFull: () => state.isFull,
      storesAnswer: async () => state.storesAnswer,
      hasDueWork: async () => state.hasDueWork,
      isPaused: async () => state.isPaused,
      replaceConsumer: async () => void acts.push(`replaced at ${now / 1_000}`),
      giveUp: () => void acts.push(`given up at ${now / 1_000}`),
    });
  });

  async function pass(seconds: number, each: () => void = () => {}) {
    for (const until = now + seconds * 1_000; now < until; ) {
      each();
      await round();
      now += 5_000;
    }
  }

  test('without progress on due work the consumer is replaced after 30 s, and the process ends after 60 s', async () => {
    await pass(65);
    expect(acts).toEqual(['replaced at 30', 'given up at 60']);
  });

  test.each([
    ['Postgres answers jobs', () => ({ progress: state.progress + 1 })],
    ['every slot is taken', () => ({ isFull: true })],
    ['a store does not answer', () => ({ storesAnswer: false })],
    ['nothing is due', () => ({ hasDueWork: false })],
    ['an operator has paused the queue', () => ({ isPaused: true })],
  ])('nothing is done while %s', async (_case, change) => {
    await pass(300, () => Object.assign(state, change()));
    expect(acts).toEqual([]);
  });

  test.each([
    ['progress', () => ({ progress: state.progress + 1 })],
    ['a store away', () => ({ storesAnswer: false })],
  ])('the time starts again after %s', async (_case, change) => {
    await pass(30);
    await pass(5, () => Object.assign(state, change()));
    state.storesAnswer = true;
    await pass(30);
    expect(acts).toEqual([]);
  });

  test('after a replacement that helped, the next failure starts from the beginning', async () => {
    await pass(35);
    state.progress += 1;
    await pass(40);
    expect(acts).toEqual(['replaced at 30', 'replaced at 70']);
  });
});

describe('the watchdog of a dispatcher', () => {
  let database: TestDatabase;
  let producer: Producer;
  let watchdogs: Repeating[];
  let acts: string[];
  beforeEach(async () => {
    [watchdogs, acts] = [[], []];
    database = await createTestDatabase();
    producer = createProducer({ ...testRedis(), onError: () => {}, monotonicMs: () => performance.now() });
    await waitFor(() => producer.ping().then(() => true), { what: 'Redis' });
  });
  afterEach(async () => {
    await Promise.all(watchdogs.map((watchdog) => watchdog.stop()));
    await producer.close();
    await database.drop();
  });

  type Given = { progress?: () => number; isPaused?: boolean; isFull?: () => boolean; asked?: Producer };

  /** The watchdog waits a fiftieth of its usual time, and a second for Postgres. */
  function watch(queue: WatchedQueue, given: Given = {}): void {
    const { isPaused = false, progress = () => 0, isFull = () => false, asked = producer } = given;
    watchdogs.push(
      startWatchdog({
        databaseUrl: database.databaseUrl,
        producer: { ...asked, isPaused: async (...of) => isPaused || asked.isPaused(...of) },
        clock: systemClock,
        timing: {
          watchdogEveryMs: 100,
          watchdogPostgresMs: 1_000,
          watchdogReplacesAfterMs: 600,
          watchdogGivesUpAfterMs: 1_200,
        },
        logger: { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} },
        queue,
        progress,
        isFull,
        replaceConsumer: async () => void acts.push(`${queue} replaced`),
        giveUp: () => void acts.push(`${queue} given up`),
      }),
    );
  }

  /** Inserts an event and a delivery that have been due for a minute, and jobs for them that no worker takes. */
  async function leaveDue({ jobs }: { jobs: boolean }) {
    const row = await insertDelivery(database.db, await insertEndpoint(database.db), { dueInSeconds: -60 });
    const enqueuedAt = new Date(Date.now() - 60_000);
    await database.db.pendingFanOut.create({ data: { eventId: row.eventId, enqueuedAt } });
    if (!jobs) return;
    const { deliveryId, eventId, endpointId, workspaceId, environmentId } = row;
    const group = { workspaceId, environmentId, eventType: 'order.created', applicationId: null };
    await producer.enqueueFanOut([{ eventId, ...group }]);
    await producer.enqueueDeliveries([{ deliveryId, eventId, endpointId, workspaceId, generation: 0, delayMs: 0 }]);
  }

  test('detects a fan-out without progress while deliveries flow', async () => {
    await leaveDue({ jobs: true });
    let progress = 0;
    watch('deliver', { progress: () => progress++ });
    watch('fanOut');
    await waitFor(() => acts.length > 0, { what: 'the watchdog', timeoutMs: 30_000 });
    expect(acts[0]).toBe('fanOut replaced');
    expect(acts.filter((act) => act.startsWith('deliver'))).toEqual([]);
  }, 40_000);

  test('detects deliveries without progress while events are fanned out, and ends the process; a paused queue is ignored', async () => {
    await leaveDue({ jobs: true });
    watch('fanOut', { isPaused: true });
    watch('deliver');
    await waitFor(() => acts.length > 1, { what: 'the watchdog', timeoutMs: 30_000 });
    expect([...new Set(acts)]).toEqual(['deliver replaced', 'deliver given up']);
  }, 40_000);

  test('never ends the process for rows that stay overdue while no job waits', async () => {
    await leaveDue({ jobs: false });
    let rounds = 0;
    const isFull = () => {
      rounds += 1;
      return false;
    };
    watch('fanOut');
    watch('deliver', { isFull });
    // In this time, a process with waiting jobs would be ended.
    await waitFor(() => rounds > 20, { what: '21 rounds', timeoutMs: 40_000 });
    expect(acts).toEqual([]);
  }, 50_000);

  test('without Redis an event that cannot be fanned out never ends the process, and one that nobody takes does', async () => {
    const { db, databaseUrl: DATABASE_URL } = database;
    const queues = await openQueues(
      { DATABASE_URL, QUEUE_PREFIX: 'posthorn', DELIVER_QUEUE_SHARDS: 1, SEALING_KEYS },
      { db, role: 'dispatcher', onError: () => {}, monotonicMs: systemClock.monotonicMs },
    );
    const asked = queues.openProducer();
    const { eventId } = await insertDelivery(database.db, await insertEndpoint(database.db));
    const [enqueuedAt, dueAt] = [new Date(Date.now() - 3_600_000), new Date(Date.now() + 300_000)];
    // The event was taken nine times.
    await database.db.pendingFanOut.create({ data: { eventId, enqueuedAt, dueAt, enqueues: 9 } });
    let rounds = 0;
    const progress = () => {
      rounds += 1;
      return 0;
    };
    watch('fanOut', { asked, progress });
    // In this time, a process that takes nothing would be ended.
    await waitFor(() => rounds > 20, { what: '21 rounds', timeoutMs: 40_000 });
    expect(acts).toEqual([]);
    await database.db.pendingFanOut.update({ where: { eventId }, data: { dueAt: enqueuedAt } });
    await waitFor(() => acts.length > 0, { what: 'the watchdog', timeoutMs: 30_000 });
    expect(acts).toContain('fanOut given up');
    await queues.close();
  }, 80_000);

  test('leaves no connection behind while the table is locked, and takes no action', async () => {
    await leaveDue({ jobs: true });
    const blocked = async () => {
      const [row] = await database.db.$queryRaw<{ count: number }[]>`
        select count(*)::int as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      return row?.count ?? Number.NaN;
    };
    await withConnection(database.databaseUrl, async (connection) => {
      await connection.query('begin; lock table delivery in access exclusive mode');
      watch('deliver');
      let most = 0;
      for (let round = 1; round <= 3; round += 1) {
        await waitFor(async () => (await blocked()) > 0, { what: `round ${round} to wait for the lock` });
        most = Math.max(most, await blocked());
        await waitFor(async () => (await blocked()) === 0, { what: `round ${round} to let go` });
      }
      expect([most, acts]).toEqual([1, []]);
      await connection.query('rollback');
    });
  }, 60_000);
});
