import { deferFanOut } from '@posthorn/ledger/pending-fan-out';
import type { Consumer } from '@posthorn/queue/consumer';
import type { FanOutRequest } from '@posthorn/queue/jobs';
import type { Producer } from '@posthorn/queue/producer';
import type { RowQueue, Rows } from '@posthorn/queue/rows';
import { errorFields } from '@posthorn/runtime/logger';
import type { Watch } from '../watch.ts';
import type { LowWaterMarks } from './low-water-mark.ts';
import { createTakeDeliveries, createTakeEvents, type TakeRows, type TakeRowsDeps } from './take-rows.ts';

export type WorkOnRowsDeps = Omit<TakeRowsDeps, 'share' | 'onRoom'> & {
  rows: Pick<Rows, 'onDue' | 'share' | 'isPaused'>;
  watch: Watch;
  lowWaterMark: LowWaterMarks;
  /** Tells another process that events are due. */
  producer: Pick<Producer, 'enqueueFanOut'>;
};

export type WorkOnRows = Consumer & {
  /**
   * Continues the fan-out of these events in this process, where it stopped: large events are fanned out in parts. If
   * the process ends first, they become due again by themselves. Once it stops, they are due at once, for another
   * process.
   */
  fanOutAgain(events: FanOutRequest[]): Promise<void>;
};

/** The pause after a round, and after a round that found more than it could take. */
const PAUSE_MS = 100;
const MORE_MS = 10;
/** The pause after several rounds that found nothing. Each may go through many events that are not due. */
const NONE_DUE_MS = 1_000;
const WAIT_AFTER_ERROR_MS = 500;
/**
 * The least time between the beginnings of hurried rounds, so that rows that come due in between are taken together.
 */
const GAP_MS = 20;

/**
 * Takes events and deliveries if rows are the queue: when somebody says that some are due, and when the look for due
 * work finds some.
 */
export function workOnRows({ rows, watch, lowWaterMark, producer, ...given }: WorkOnRowsDeps): WorkOnRows {
  const { clock, logger } = given;
  let hurryDeliveries = () => {};
  const deps: TakeRowsDeps = { ...given, share: rows.share, onRoom: () => hurryDeliveries() };
  const taken = { 'fan-out': createTakeEvents(deps), deliver: createTakeDeliveries(deps) };
  const told = new Set<RowQueue>();
  const start = (queue: RowQueue, work: 'waitingEvents' | 'dueDeliveries', take: TakeRows) => {
    let vain = 0;
    return watch.repeat(work, {
      async round() {
        if (rows.isPaused(queue)) return PAUSE_MS;
        const from = await lowWaterMark.read();
        const isTold = told.delete(queue);
        const found = await take.round(from, { isTold });
        vain = found === 'none_due' && !isTold ? vain + 1 : 0;
        // After work, one round more is usual: no look has ended since.
        if (vain > 1) return NONE_DUE_MS;
        return found === 'more' ? MORE_MS : PAUSE_MS;
      },
      waitAfterErrorMs: WAIT_AFTER_ERROR_MS,
      onError: (error) => logger.warn('work could not be taken from Postgres', { queue, ...errorFields(error) }),
    });
  };
  const rounds = {
    'fan-out': start('fan-out', 'waitingEvents', taken['fan-out']),
    deliver: start('deliver', 'dueDeliveries', taken.deliver),
  };
  const hurry = {
    'fan-out': atIntervals(rounds['fan-out'].hurry, clock),
    deliver: atIntervals(rounds.deliver.hurry, clock),
  };
  hurryDeliveries = hurry.deliver.call;
  const unsubscribe = rows.onDue((queue) => {
    told.add(queue);
    hurry[queue].call();
  });
  const stop = () => {
    unsubscribe();
    for (const { stop } of Object.values(hurry)) stop();
    return Promise.all(Object.values(rounds).map((one) => one.stop()));
  };
  let isStopped = false;
  return {
    async fanOutAgain(events) {
      if (!isStopped) return taken['fan-out'].again(events);
      const eventIds = events.map(({ eventId }) => eventId);
      await deferFanOut(given.db, eventIds, { seconds: 0, keepsMark: true });
      await producer.enqueueFanOut(events);
    },
    async drain() {
      isStopped = true;
      await stop();
      await Promise.all(Object.values(taken).map((take) => take.drain()));
    },
    async close() {
      isStopped = true;
      // Do not await this: a round may still wait for a fan-out.
      void stop();
    },
  };
}

/** Calls the function at most once in an interval. A call that comes too early is made at the interval's end. */
function atIntervals(act: () => void, { monotonicMs }: { monotonicMs(): number }) {
  let atMs = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const run = () => {
    timer = undefined;
    atMs = monotonicMs();
    act();
  };
  return {
    call() {
      if (isStopped || timer !== undefined) return;
      const inMs = atMs + GAP_MS - monotonicMs();
      if (inMs <= 0) run();
      else timer = setTimeout(run, inMs);
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
