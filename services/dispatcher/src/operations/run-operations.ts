import type { SealingKeys } from '@posthorn/crypto/seal';
import type { Db, DbTransaction } from '@posthorn/db/client';
import { isUnavailable } from '@posthorn/db/violations';
import { endOperation } from '@posthorn/ledger/end-operation';
import type { DeliverRequest } from '@posthorn/queue/jobs';
import type { LivePublisher } from '@posthorn/queue/live';
import type { Producer } from '@posthorn/queue/producer';
import type { Clock } from '@posthorn/runtime/clock';
import { errorFields, type Logger } from '@posthorn/runtime/logger';
import type { Gatherer } from '@posthorn/stats/gather';
import type { DispatcherMetrics } from '../metrics.ts';
import { roomFor } from './pace.ts';
import { lockPart, type Part, PROGRESS_AT_ONCE, partsToMove, takeProgress, writeStep } from './part.ts';
import { parseScope } from './scope.ts';
import { takeStep } from './step.ts';
import type { Stepped } from './stepped.ts';
import {
  endTurn,
  inTurn,
  type LockedOperation,
  noteFault,
  type TakenTurn,
  TURN_PAUSE_MS,
  type Turn,
  takeTurns,
  writesMuch,
} from './turn.ts';

export type OperationsDeps = {
  db: Db;
  producer: Pick<Producer, 'depths'>;
  /** Resolves once the jobs are in Redis or could not be enqueued. */
  enqueue: (deliveries: DeliverRequest[]) => Promise<void>;
  clock: Clock;
  logger: Pick<Logger, 'warn'>;
  metrics: Pick<DispatcherMetrics, 'operationDeliveries'>;
  stats: Pick<Gatherer, 'countEnded'>;
  live: Pick<LivePublisher, 'deliveryChanged'>;
  /** Tells waiting consumers of these endpoints that there may be something to fetch. Never throws. */
  wakeConsumers: (endpointIds: Iterable<string>) => void;
  retentionDays: number;
  keys: SealingKeys;
};

/** A turn ends after this time, so that other operations make progress. */
const TURN_MS = 1_000;
/** The time limit of a turn that writes much. A pause follows. */
const ERASURE_TURN_MS = 250;
const PARTS_AT_ONCE = 50;
/** The deliveries of a turn that are due at the same moment: enough to be claimed and settled in batches. */
const AT_ONCE = 8;
/** Above this depth, most of the queue is a flood. Operations then keep to the lowest pace. */
const BUSY_DEPTH = 2_500;

/**
 * Creates a round that moves on the operations whose turn it is, and returns the delay before the next round. Every
 * dispatcher runs it, and only one at a time moves an operation on. Each step commits its result with its position, so
 * an operation continues after the end of any process, and enqueues nothing twice.
 */
export function createOperations(deps: OperationsDeps): () => Promise<number> {
  return async () => {
    const turns = await takeTurns(deps.db);
    const isBusy = turns.length > 0 && (await queueIsBusy(deps));
    for (const turn of turns) {
      try {
        await takeTurn(deps, { ...turn, scope: parseScope(turn.scope) }, isBusy);
      } catch (error) {
        await reportFault(deps, turn, error);
      }
    }
    // If there were none, another process may have locked what is due.
    return turns.length > 0 ? 0 : TURN_PAUSE_MS;
  };
}

/**
 * A fault of Postgres passes. Any other fault is counted, so that an operation that cannot go on does not stay open
 * forever.
 */
async function reportFault({ db, logger }: OperationsDeps, turn: TakenTurn, error: unknown): Promise<void> {
  const warn = (fault: unknown) =>
    logger.warn('an operation could not be moved on', { operationId: turn.operationId, ...errorFields(fault) });
  warn(error);
  if (!isUnavailable(error)) await noteFault(db, turn, error).catch(warn);
}

/** Also true while Redis is away, when deliveries wait for the reconciler. */
async function queueIsBusy({ producer }: OperationsDeps): Promise<boolean> {
  try {
    return (await producer.depths()).deliver.waiting >= BUSY_DEPTH;
  } catch {
    return true; // The producer reports the error.
  }
}

async function takeTurn(deps: OperationsDeps, turn: Turn, isBusy: boolean): Promise<void> {
  const untilMs = deps.clock.monotonicMs() + (writesMuch(turn) ? ERASURE_TURN_MS : TURN_MS);
  const isOver = () => deps.clock.monotonicMs() >= untilMs;
  const endpointIds = await partsToMove(deps.db, turn, PARTS_AT_ONCE);
  for (const endpointId of endpointIds) {
    while (!isOver() && (await movePart(deps, turn, { endpointId, isBusy })) === 'more');
    if (isOver()) break;
  }
  const endpointsAreFull = endpointIds.length >= PARTS_AT_ONCE;
  await endTurn(deps.db, turn, { timeIsOver: isOver(), endpointsAreFull, now: deps.clock.now() });
}

type Moved = 'more' | 'rests';

/** Counts the noted progress of the part's deliveries. Moves the part on by one page if its endpoint has room. */
async function movePart(deps: OperationsDeps, turn: Turn, at: { endpointId: string; isBusy: boolean }): Promise<Moved> {
  const moved = await inTurn(deps.db, turn, (transaction, operation) =>
    moveLocked(deps, { transaction, turn, operation, ...at }),
  );
  if (moved === undefined || moved.kind === 'rests') return moved?.hasMoreToCount ? 'more' : 'rests';
  deps.metrics.operationDeliveries.inc({ type: turn.type }, moved.step.enqueued ?? 0);
  tell(deps, turn, at.endpointId, moved);
  await deps.enqueue(moved.released);
  await deps.enqueue(
    moved.enqueue
      .flatMap(({ isDue, ...delivery }) => (isDue ? [delivery] : []))
      .map((delivery, index, { length }) => ({
        ...delivery,
        endpointId: at.endpointId,
        workspaceId: turn.workspaceId,
        recovered: true,
        delayMs: delayInTurn(index, length),
      })),
  );
  // Deliveries that wait in an order take no room, and later follow their head without any. A turn adds at most a page
  // of them.
  const waits = moved.enqueue.some(({ isDue }) => !isDue);
  if (waits) deps.wakeConsumers([at.endpointId]);
  // Consumers may fetch a delivery that follows a cancelled head.
  deps.wakeConsumers(
    moved.cancelled.flatMap(({ endpointId, orderingKey, wasDue }) =>
      orderingKey !== null && wasDue ? [endpointId] : [],
    ),
  );
  return moved.step.phase === 'done' || waits ? 'rests' : 'more';
}

/** Spreads the deliveries of a turn over the time to the next turn, because all at once would delay new events. */
function delayInTurn(index: number, count: number): number {
  return Math.floor((Math.floor(index / AT_ONCE) * TURN_PAUSE_MS) / Math.ceil(count / AT_ONCE));
}

/** Tells live streams about the changes, and counts the deliveries that ended. */
function tell({ stats, live }: OperationsDeps, { workspaceId }: Turn, endpointId: string, moved: SteppedOn): void {
  for (const { deliveryId } of moved.enqueue) live.deliveryChanged({ workspaceId, deliveryId, endpointId });
  for (const one of [...moved.cancelled, ...moved.released]) {
    live.deliveryChanged({ workspaceId, deliveryId: one.deliveryId, endpointId: one.endpointId });
  }
  for (const one of moved.cancelled) {
    stats.countEnded({ workspaceId, endpointId: one.endpointId, eventType: one.eventType }, 'failed');
  }
}

type SteppedOn = Extract<Stepped, { kind: 'stepped' }>;

type Locked = {
  transaction: DbTransaction;
  turn: Turn;
  operation: LockedOperation;
  endpointId: string;
  isBusy: boolean;
};

type MovedLocked = SteppedOn | { kind: 'rests'; hasMoreToCount: boolean };

async function moveLocked(deps: OperationsDeps, locked: Locked): Promise<MovedLocked> {
  const { transaction, turn, operation, endpointId, isBusy } = locked;
  const live = await lockPart(transaction, turn, endpointId);
  if (live === undefined) return { kind: 'rests', hasMoreToCount: false };
  const { part, pace } = live;
  const progress = await takeProgress(transaction, turn, endpointId);
  const room = roomFor({ waiting: pace.waiting, settled: pace.settled + progress.attempted, isBusy });
  const rest = async () => {
    await writeStep(transaction, turn, { endpointId, progress, step: part });
    return { kind: 'rests' as const, hasMoreToCount: progress.noted >= PROGRESS_AT_ONCE };
  };
  if (!mayStep(operation, { turn, part, room })) return rest();
  const oldest = new Date(deps.clock.now().getTime() - deps.retentionDays * 86_400_000);
  const stepped = await takeStep(transaction, { turn, part, room, oldest, keys: deps.keys });
  if (stepped.kind === 'failed') {
    await endOperation(transaction, { operationId: turn.operationId, status: 'failed', error: stepped.error });
    return rest();
  }
  await writeStep(transaction, turn, { endpointId, progress, step: stepped.step });
  return stepped;
}

/**
 * Whether the part may take a step. Everything is counted before anything is enqueued. A cancellation enqueues nothing,
 * so it needs no room.
 */
function mayStep(
  { status, isPaused }: LockedOperation,
  { turn: { type }, part: { phase }, room }: { turn: Turn; part: Part; room: number },
): boolean {
  if (isPaused) return false;
  switch (phase) {
    case 'count_deliveries':
    case 'count_events':
      return status === 'counting';
    case 'deliveries':
    case 'events':
    case 'operational_events':
    case 'audit_log':
    case 'search_index':
      return status === 'running' && (room > 0 || type === 'cancel' || writesMuch({ type }));
    case 'done':
      return false;
  }
}
