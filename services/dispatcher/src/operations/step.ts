import { LIMITS } from '@posthorn/contract/limits';
import type { DbTransaction } from '@posthorn/db/client';
import { among, lowestKeyAt } from '@posthorn/db/uuid-range';
import { cancelDeliveries } from '@posthorn/ledger/cancel';
import { IS_ERASED } from '@posthorn/ledger/claimed-event';
import type { NewDelivery } from '@posthorn/ledger/create';
import { deliveryIdFor } from '@posthorn/ledger/delivery-id';
import {
  type OperationScope,
  type Page,
  type SelectedDelivery,
  selectedAmong,
  selectedDeliveries,
} from '@posthorn/ledger/operation-scope';
import type { HeadRequest } from '@posthorn/ledger/ordering';
import { createMissed, type RetriedDelivery, retryDeliveries } from '@posthorn/ledger/retry-deliveries';
import { erase } from './erase.ts';
import { indexEvents } from './index-events.ts';
import { missedPage } from './missed-page.ts';
import type { Step } from './part.ts';
import { phaseAfter } from './scope.ts';
import { headsBehind, type StepInput, type Stepped } from './stepped.ts';

/** The most rows that a step reads, of which few or none may match. A step takes about 20 ms. */
const MAX_ROWS_READ = 2_000;
const COUNTED_AT_ONCE = 5_000;
const MISSED_READ = 1_000;
/** Each may take the lock of its order, and the number of Postgres' locks is limited. */
const CANCELLED_AT_ONCE = 250;

/** Moves a part on by one page, in the transaction that also writes its new position. */
export async function takeStep(transaction: DbTransaction, input: StepInput): Promise<Stepped> {
  if (input.turn.type === 'erasure') return erase(transaction, input);
  switch (input.part.phase) {
    case 'count_deliveries':
      return count(input, await selectedDeliveries(transaction, input.turn.scope, walkOf(input, COUNTED_AT_ONCE)));
    case 'count_events':
      return count(input, await missedPage(transaction, missedOf(input), walkOf(input, MISSED_READ)));
    case 'deliveries':
      return input.turn.type === 'cancel' ? cancel(transaction, input) : retry(transaction, input);
    case 'events':
      return recoverMissed(transaction, input);
    case 'operational_events':
    case 'search_index':
      return indexEvents(transaction, input);
    case 'audit_log':
    case 'done':
      return stepped(input, { next: input.part.position });
  }
}

function missedOf({ turn, keys }: StepInput) {
  return { scope: turn.scope, keys };
}

function walkOf({ part: { endpointId, position } }: StepInput, read: number) {
  return { endpointId, after: position, read };
}

function count(input: StepInput, page: Page<unknown>): Stepped {
  return stepped(input, page, { matched: page.rows.length });
}

async function cancel(transaction: DbTransaction, input: StepInput): Promise<Stepped> {
  const page = await selectedDeliveries(transaction, input.turn.scope, {
    ...walkOf(input, MAX_ROWS_READ),
    most: CANCELLED_AT_ONCE,
  });
  const ids = page.rows.map((row) => row.deliveryId);
  const cancelled = ids.length === 0 ? [] : await cancelDeliveries(transaction, ids);
  const heads = await headsBehind(transaction, cancelled);
  // A later page cancels these heads, and then finds the heads behind them.
  const later = await cancelledLater(transaction, input.turn.scope, { heads, after: page.next });
  const released = heads.filter(({ deliveryId }) => !later.has(deliveryId));
  return { ...stepped(input, page, { enqueued: cancelled.length, unended: 0 }), cancelled, released };
}

async function cancelledLater(
  transaction: DbTransaction,
  scope: OperationScope,
  { heads, after }: { heads: readonly HeadRequest[]; after: string | undefined },
): Promise<ReadonlySet<string>> {
  if (after === undefined) return new Set();
  const ids = heads.map((head) => head.deliveryId);
  return selectedAmong(transaction, { ...scope, after }, ids);
}

/** Enqueues deliveries. A delivery without a payload, or with no manual retry left, counts as failed. */
async function retry(transaction: DbTransaction, input: StepInput): Promise<Stepped> {
  const { turn, part, room } = input;
  const isActive = await endpointIsActive(transaction, part.endpointId);
  if (!isActive && turn.type === 'recovery') return { kind: 'failed', error: 'The endpoint is inactive or deleted' };
  const walk = walkOf(input, MAX_ROWS_READ);
  const page = await selectedDeliveries(transaction, turn.scope, isActive ? { ...walk, most: room } : walk);
  const able = isActive ? await retryable(transaction, page.rows, input.oldest) : [];
  const enqueue =
    able.length === 0
      ? []
      : await retryDeliveries(transaction, {
          deliveryIds: able,
          operationId: turn.operationId,
          trigger: turn.type === 'recovery' ? 'recovery' : 'manual',
          statuses: turn.scope.statuses,
          mostRetries: LIMITS.manualRetriesPerDelivery,
        });
  return stepped(input, page, { enqueued: enqueue.length, failed: page.rows.length - able.length }, enqueue);
}

async function retryable(
  transaction: DbTransaction,
  rows: readonly SelectedDelivery[],
  oldest: Date,
): Promise<string[]> {
  const firstKept = lowestKeyAt(oldest);
  const young = rows.filter((row) => row.eventId >= firstKept && row.manualRetries < LIMITS.manualRetriesPerDelivery);
  return (await withPayload(transaction, young)).map((row) => row.deliveryId);
}

/** The given rows whose events have not been erased. */
async function withPayload<Row extends { eventId: string }>(
  transaction: DbTransaction,
  rows: readonly Row[],
): Promise<Row[]> {
  if (rows.length === 0) return [];
  const eventIds = rows.map((row) => row.eventId);
  const events = await transaction.$queryRaw<{ id: string }[]>`
    select id from event e where ${among('id', eventIds)} and not ${IS_ERASED}`;
  const stored = new Set(events.map((event) => event.id));
  return rows.filter((row) => stored.has(row.eventId));
}

/** Creates the deliveries of missed events. An event with an erased payload gets none, and counts as failed. */
async function recoverMissed(transaction: DbTransaction, input: StepInput): Promise<Stepped> {
  const { turn, part, room } = input;
  if (!(await endpointIsActive(transaction, part.endpointId))) {
    return { kind: 'failed', error: 'The endpoint is inactive or deleted' };
  }
  const page = await missedPage(transaction, missedOf(input), { ...walkOf(input, MISSED_READ), most: room });
  const able = await withPayload(transaction, page.rows);
  const deliveries = able.map(
    (event): NewDelivery => ({
      ...event,
      deliveryId: deliveryIdFor(event.eventId, part.endpointId),
      endpointId: part.endpointId,
      workspaceId: turn.workspaceId,
    }),
  );
  const enqueue = await createMissed(transaction, deliveries, turn.operationId);
  return stepped(input, page, { enqueued: enqueue.length, failed: page.rows.length - able.length }, enqueue);
}

async function endpointIsActive(transaction: DbTransaction, id: string): Promise<boolean> {
  return (await transaction.endpoint.count({ where: { id, isActive: true, deletedAt: null } })) > 0;
}

/** A step that ends with the page. After the last page, it moves on to the next phase. */
function stepped(
  { turn, part }: StepInput,
  { next }: Pick<Page<unknown>, 'next'>,
  counts: Omit<Step, 'phase' | 'position'> = {},
  enqueue: RetriedDelivery[] = [],
): Extract<Stepped, { kind: 'stepped' }> {
  const place =
    next === undefined
      ? { phase: phaseAfter(part.phase, turn.scope), position: turn.scope.after }
      : { phase: part.phase, position: next };
  const due = enqueue.filter((one) => one.isDue).length;
  return { kind: 'stepped', step: { ...place, ...counts, due }, enqueue, cancelled: [], released: [] };
}
