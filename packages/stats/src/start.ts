import type { Db } from '@posthorn/db/client';
import type { Clock } from '@posthorn/runtime/clock';
import { errorFields, type Logger } from '@posthorn/runtime/logger';
import { repeat } from '@posthorn/runtime/repeat';
import { createGatherer, type Gatherer } from './gather.ts';
import { createStatsWriter } from './write.ts';

const EVERY_MS = 1_000;

export type StatsOptions = {
  db: Db;
  clock: Clock;
  logger: Pick<Logger, 'warn'>;
  /** Called with the number of counts that were lost because there was no room. */
  onDropped: (counts: number) => void;
};

/**
 * Gathers counts in memory and writes them once a second. A process that crashes loses the counts of its last second.
 * While Postgres is away, counts are kept, within bounds. `stop` writes the rest.
 */
export function startStats({ db, clock, logger, onDropped }: StatsOptions): {
  gatherer: Gatherer;
  stop: () => Promise<void>;
} {
  const onFull = () => rounds.hurry();
  const gatherer = createGatherer({ nowMs: () => clock.now().getTime(), onFull, onDropped });
  const write = createStatsWriter(db, gatherer);
  const onError = (error: unknown) => logger.warn('statistics could not be written yet', errorFields(error));
  const rounds = repeat({
    async round() {
      await write();
      return EVERY_MS;
    },
    waitAfterErrorMs: EVERY_MS,
    onError,
  });
  return {
    gatherer,
    async stop() {
      await rounds.stop();
      await write().catch(onError);
    },
  };
}
