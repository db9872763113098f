import type { Consumer } from '@posthorn/queue/consumer';
import type { Producer } from '@posthorn/queue/producer';
import { answersWithin } from '@posthorn/runtime/deadline';
import { errorFields } from '@posthorn/runtime/logger';
import { repeat } from '@posthorn/runtime/repeat';
import { createLowWaterMark } from './low-water-mark.ts';
import { createTakeDeliveries, createTakeEvents, type TakeRowsDeps } from './take-rows.ts';

export type WithoutRedisDeps = TakeRowsDeps & { producer: Pick<Producer, 'ping'> };

/** Redis counts as away when it has not accepted a write for this long. A failover takes less. */
const AWAY_AFTER_MS = 3_000;
const ANSWERS_WITHIN_MS = 1_000;
const LOOK_EVERY_MS = 500;
/** The pause between two rounds while Redis is away, and after a round that found more than it could take. */
const EVERY_MS = 250;
const MORE_MS = 25;

/**
 * Works while Redis is away: takes overdue events and deliveries from Postgres. It does no harm if Redis has jobs for
 * the same rows. Endpoints with `rateLimit` or `maxConcurrency` wait, because Redis counts for all dispatchers. When
 * Redis is back, jobs take over.
 */
export function workWithoutRedis(deps: WithoutRedisDeps): Consumer {
  const { producer, clock, logger } = deps;
  const lowWaterMark = createLowWaterMark(deps);
  const events = createTakeEvents(deps);
  const deliveries = createTakeDeliveries(deps);
  let answeredAtMs = clock.monotonicMs();
  const rounds = repeat({
    async round() {
      if (await answersWithin(producer.ping(), ANSWERS_WITHIN_MS)) answeredAtMs = clock.monotonicMs();
      if (clock.monotonicMs() - answeredAtMs < AWAY_AFTER_MS) return LOOK_EVERY_MS;
      const from = await lowWaterMark.read();
      const found = await Promise.all([events.round(from), deliveries.round(from)]);
      return found.includes('more') ? MORE_MS : EVERY_MS;
    },
    waitAfterErrorMs: LOOK_EVERY_MS,
    onError: (error) => logger.warn('work could not be taken from Postgres while Redis is away', errorFields(error)),
  });
  return {
    async drain() {
      await rounds.stop();
      await Promise.all([events.drain(), deliveries.drain()]);
    },
    async close() {
      // Do not await this: a round may still wait for a fan-out.
      void rounds.stop();
    },
  };
}
