import { withConnection } from '@posthorn/db/partitions';
import type { Producer } from '@posthorn/queue/producer';
import type { Clock } from '@posthorn/runtime/clock';
import { withDeadline } from '@posthorn/runtime/lifecycle';
import { errorFields, type Logger } from '@posthorn/runtime/logger';
import { type Repeating, repeat } from '@posthorn/runtime/repeat';
import { createWatchdog } from './watchdog.ts';

export type StartWatchdogDeps = {
  databaseUrl: string;
  producer: Pick<Producer, 'redisAnswers'>;
  clock: Clock;
  logger: Logger;
  looks: () => number;
  isFull: () => boolean;
  rebuild: () => Promise<void>;
  giveUp: () => void;
};

const EVERY_MS = 5_000;
const POSTGRES_ANSWERS_WITHIN_MS = 4_000;
const REDIS_ANSWERS_WITHIN_MS = 2_000;

/** Watches whether due work is looked at, by a Postgres connection of its own and the producer's to Redis. */
export function startWatchdog(deps: StartWatchdogDeps): Repeating {
  const { databaseUrl, producer, clock, logger, looks, isFull } = deps;
  const round = createWatchdog({
    clock,
    looks,
    isFull,
    storesAnswer: () => producer.redisAnswers(REDIS_ANSWERS_WITHIN_MS),
    hasDueWork: () => hasDueWork(databaseUrl),
    async rebuild() {
      logger.error('due deliveries were not looked at for 30 s: the connections to Redis are made anew');
      await deps.rebuild();
    },
    giveUp(silentMs) {
      logger.error('due deliveries are still not looked at: this process ends', { silentMs: Math.round(silentMs) });
      deps.giveUp();
    },
  });
  return repeat({
    async round() {
      await round();
      return EVERY_MS;
    },
    waitAfterErrorMs: EVERY_MS,
    onError: (error) => logger.warn('the watchdog could not look', errorFields(error)),
  });
}

/** No, too, when Postgres does not answer in time. */
async function hasDueWork(databaseUrl: string): Promise<boolean> {
  let found = false;
  const asked = withConnection(databaseUrl, async (connection) => {
    const due = await connection.query(
      `(select 1 from delivery where due_at < now() - interval '30 seconds' and status <> 'delivering' limit 1)
       union all (select 1 from pending_fan_out where enqueued_at < now() - interval '30 seconds' limit 1)`,
    );
    found = due.rows.length > 0;
  });
  return (await withDeadline(asked, POSTGRES_ANSWERS_WITHIN_MS)) && found;
}
