import { withConnection } from '@posthorn/db/partitions';
import type { Producer } from '@posthorn/queue/producer';
import type { Clock } from '@posthorn/runtime/clock';
import { answersWithin } from '@posthorn/runtime/deadline';
import { errorFields, type Logger } from '@posthorn/runtime/logger';
import { type Repeating, repeat } from '@posthorn/runtime/repeat';
import { createWatchdog } from './watchdog.ts';

export type StartWatchdogDeps = {
  databaseUrl: string;
  producer: Pick<Producer, 'ping' | 'isPaused'>;
  clock: Clock;
  logger: Logger;
  queue: WatchedQueue;
  looks: () => number;
  isFull: () => boolean;
  rebuild: () => Promise<void>;
  giveUp: () => void;
};

export type WatchedQueue = 'fanOut' | 'deliver';

const EVERY_MS = 5_000;
const POSTGRES_ANSWERS_WITHIN_MS = 4_000;
const REDIS_ANSWERS_WITHIN_MS = 2_000;

/**
 * Watches whether one queue's due work is looked at, by a Postgres connection of its own and the producer's to Redis.
 * Each queue is watched by itself: while deliveries flow, a dead fan-out would otherwise go unseen.
 */
export function startWatchdog(deps: StartWatchdogDeps): Repeating {
  const { databaseUrl, producer, clock, logger, queue, looks, isFull } = deps;
  const round = createWatchdog({
    clock,
    looks,
    isFull,
    storesAnswer: () => answersWithin(producer.ping(), REDIS_ANSWERS_WITHIN_MS),
    hasDueWork: () => hasDueWork(databaseUrl, queue),
    isPaused: () => isPaused(producer, queue),
    async rebuild() {
      logger.error('due work was not looked at for 30 s: the connections to Redis are made anew', { queue });
      await deps.rebuild();
    },
    giveUp(silentMs) {
      logger.error('due work is still not looked at: this process ends', { queue, silentMs: Math.round(silentMs) });
      deps.giveUp();
    },
  });
  return repeat({
    async round() {
      await round();
      return EVERY_MS;
    },
    waitAfterErrorMs: EVERY_MS,
    onError: (error) => logger.warn('the watchdog could not look', { queue, ...errorFields(error) }),
  });
}

const DUE = {
  fanOut: `select 1 from pending_fan_out where enqueued_at < now() - interval '30 seconds' limit 1`,
  deliver: `select 1 from delivery where due_at < now() - interval '30 seconds' and status <> 'delivering' limit 1`,
};

/** No, too, when Postgres does not answer in time. */
async function hasDueWork(databaseUrl: string, queue: WatchedQueue): Promise<boolean> {
  let found = false;
  const asked = withConnection(databaseUrl, async (connection) => {
    const due = await connection.query(DUE[queue]);
    found = due.rows.length > 0;
  });
  return (await answersWithin(asked, POSTGRES_ANSWERS_WITHIN_MS)) && found;
}

/** Yes, too, when Redis does not answer in time: then nothing is known to be wrong here. */
async function isPaused(producer: Pick<Producer, 'isPaused'>, queue: WatchedQueue): Promise<boolean> {
  let paused = true;
  const asked = producer.isPaused(queue).then((answer) => {
    paused = answer;
  });
  return !(await answersWithin(asked, REDIS_ANSWERS_WITHIN_MS)) || paused;
}
