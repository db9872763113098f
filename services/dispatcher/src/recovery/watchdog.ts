import { withConnection } from '@posthorn/db/connection';
import type { Producer } from '@posthorn/queue/producer';
import type { Clock } from '@posthorn/runtime/clock';
import { answersWithin } from '@posthorn/runtime/deadline';
import { errorFields, type Logger } from '@posthorn/runtime/logger';
import { type Repeating, repeat } from '@posthorn/runtime/repeat';
import type { Timing } from '../timing.ts';

export type WatchedQueue = 'handOver' | 'fanOut' | 'deliver';

export type StartWatchdogDeps = {
  databaseUrl: string;
  producer: Pick<Producer, 'kind' | 'ping' | 'isPaused' | 'waiting'>;
  clock: Clock;
  timing: WatchdogTiming & Pick<Timing, 'watchdogEveryMs' | 'watchdogPostgresMs'>;
  logger: Logger;
  queue: WatchedQueue;
  /** The shard of the deliver queue; the first one by default. */
  shard?: number;
  progress: () => number;
  isFull: () => boolean;
  replaceConsumer: () => Promise<void>;
  giveUp: () => void;
};

type WatchdogTiming = Pick<Timing, 'watchdogReplacesAfterMs' | 'watchdogGivesUpAfterMs'>;

const REDIS_TIMEOUT_MS = 2_000;

/**
 * Watches whether this process makes progress on one queue, with a separate connection to Postgres and, if jobs are in
 * Redis, the producer's connection. If rows are the queue, no consumer can be replaced, so it only ends the process.
 * Each queue and each shard is watched separately: otherwise progress on deliveries would hide a fan-out consumer that
 * makes none.
 */
export function startWatchdog(deps: StartWatchdogDeps): Repeating {
  const { databaseUrl, producer, logger, queue, shard, timing } = deps;
  const { watchdogEveryMs: roundMs, watchdogPostgresMs: postgresTimeoutMs, watchdogReplacesAfterMs: dueForMs } = timing;
  const round = createWatchdog({
    ...deps,
    storesAnswer: () => answersWithin(producer.ping(), REDIS_TIMEOUT_MS),
    hasDueWork: async () =>
      (await hasWaitingJobs(producer, queue, shard)) &&
      (await hasDueRows(databaseUrl, DUE[producer.kind][queue], { dueForMs, timeoutMs: postgresTimeoutMs })),
    isPaused: () => isPaused(producer, queue, shard),
    async replaceConsumer() {
      if (producer.kind === 'postgres') return;
      logger.error('due work made no progress: the consumer’s Redis connections are replaced', {
        queue,
        shard,
        silentMs: dueForMs,
      });
      await deps.replaceConsumer();
    },
    giveUp(silentMs) {
      logger.error('due work still makes no progress: this process exits', {
        queue,
        shard,
        silentMs: Math.round(silentMs),
      });
      deps.giveUp();
    },
  });
  return repeat({
    async round() {
      await round();
      return roundMs;
    },
    waitAfterErrorMs: roundMs,
    onError: (error) => logger.warn('the watchdog could not check the stores', { queue, ...errorFields(error) }),
  });
}

export type WatchdogDeps = {
  clock: Clock;
  timing: WatchdogTiming;
  /** The number of jobs of this queue for which Postgres has answered since the process started. */
  progress: () => number;
  /** Whether every slot is taken. Then no job can start, and nothing is wrong. */
  isFull: () => boolean;
  /** Whether the store of the queue answers (Redis must also accept writes), over a connection that is not watched. */
  storesAnswer: () => Promise<boolean>;
  /**
   * Whether jobs of this queue wait and its rows have long been due. Waiting jobs without due rows may come from a
   * paused queue. A due row without waiting jobs may be one that no dispatcher can process, and whose job is repeated.
   */
  hasDueWork: () => Promise<boolean>;
  /** Whether an operator has paused the queue. */
  isPaused: () => Promise<boolean>;
  replaceConsumer: () => Promise<void>;
  /** Ends the process with an exit code other than 0, so that it is started again. */
  giveUp: (silentMs: number) => void;
};

/**
 * Runs one round of the watchdog. Call it every few seconds. After 30 s without progress on due work, it replaces the
 * consumer. After 60 s, it ends the process. Only time in which both stores answer and the queue is not paused counts.
 */
export function createWatchdog(deps: WatchdogDeps): () => Promise<void> {
  const { watchdogReplacesAfterMs, watchdogGivesUpAfterMs } = deps.timing;
  let silentSinceMs: number | undefined;
  let progressBefore = deps.progress();
  let replaced = false;
  const isSilent = async () => {
    const progress = deps.progress();
    const stands = progress === progressBefore && !deps.isFull();
    progressBefore = progress;
    return stands && (await deps.storesAnswer()) && (await deps.hasDueWork()) && !(await deps.isPaused());
  };
  return async () => {
    const nowMs = deps.clock.monotonicMs();
    if (!(await isSilent())) {
      silentSinceMs = undefined;
      replaced = false;
      return;
    }
    silentSinceMs ??= nowMs;
    const silentMs = nowMs - silentSinceMs;
    if (silentMs >= watchdogGivesUpAfterMs) return deps.giveUp(silentMs);
    if (silentMs < watchdogReplacesAfterMs || replaced) return;
    replaced = true;
    await deps.replaceConsumer();
  };
}

const DUE_DELIVERIES = `select 1 from delivery where due_at < now() - $1 * interval '1 millisecond' and status <> 'delivering' limit 1`;
// For the hand-over queue, rows are not checked: the reconciler soon finds what a silent consumer leaves, so only
// waiting jobs show that it is silent.
const NO_LOOK = 'select 1 where $1 >= 0';

const DUE: Record<Producer['kind'], Record<WatchedQueue, string>> = {
  redis: {
    handOver: NO_LOOK,
    // Does not use the due time, which the reconciler moves on whether or not anybody takes the job.
    fanOut: `select 1 from pending_fan_out where enqueued_at < now() - $1 * interval '1 millisecond' limit 1`,
    deliver: DUE_DELIVERIES,
  },
  postgres: {
    handOver: NO_LOOK,
    // A process that takes an event moves its due time on. An event that cannot be fanned out waits longer after each
    // time, without any process being at fault.
    fanOut: `select 1 from pending_fan_out where due_at < now() - $1 * interval '1 millisecond' and not has_begun limit 1`,
    deliver: DUE_DELIVERIES,
  },
};

/** False also if Postgres does not answer in time. */
async function hasDueRows(
  databaseUrl: string,
  dueRows: string,
  { dueForMs, timeoutMs }: { dueForMs: number; timeoutMs: number },
): Promise<boolean> {
  return answerWithin(timeoutMs, false, () =>
    withConnection(
      databaseUrl,
      async (connection) => (await connection.query(dueRows, [dueForMs])).rows.length > 0,
      timeoutMs,
    ),
  );
}

/** False also if Redis does not answer in time. */
async function hasWaitingJobs(
  producer: Pick<Producer, 'waiting'>,
  queue: WatchedQueue,
  shard: number | undefined,
): Promise<boolean> {
  return answerWithin(REDIS_TIMEOUT_MS, false, async () => (await producer.waiting(queue, shard)) > 0);
}

/** True also if Redis does not answer in time, because then this process is not known to be at fault. */
async function isPaused(
  producer: Pick<Producer, 'isPaused'>,
  queue: WatchedQueue,
  shard: number | undefined,
): Promise<boolean> {
  return answerWithin(REDIS_TIMEOUT_MS, true, () => producer.isPaused(queue, shard));
}

async function answerWithin(timeoutMs: number, otherwise: boolean, ask: () => Promise<boolean>): Promise<boolean> {
  let answer = otherwise;
  await answersWithin(
    ask().then((given) => {
      answer = given;
    }),
    timeoutMs,
  );
  return answer;
}
