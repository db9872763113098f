import { toId } from '@posthorn/contract/ids';
import { openPayload } from '@posthorn/crypto/open-payload';
import type { SealingKeys } from '@posthorn/crypto/seal';
import { eraseAuditValues } from '@posthorn/db/audit-values';
import type { DbTransaction } from '@posthorn/db/client';
import { among, NIL_UUID } from '@posthorn/db/uuid-range';
import {
  deliveriesOfEvents,
  deliveriesToErase,
  type EndedByErasure,
  ERASED_URL,
  eraseDeliveries,
  eraseNames,
  erasePayloads,
  eraseWaiting,
  orderedDirectEvents,
} from '@posthorn/ledger/erase';
import { erasableEvents, type OperationScope } from '@posthorn/ledger/operation-scope';
import { forgetAnswersAbout } from '../maintenance/forget-answers.ts';
import type { Step } from './part.ts';
import { headsBehind, type StepInput, type Stepped } from './stepped.ts';

const COUNTED_AT_ONCE = 5_000;
/** The most events of a step, which takes some tens of milliseconds. */
const EVENTS_AT_ONCE = 200;
const ROWS_AT_ONCE = 5_000;

type Erased = Extract<Stepped, { kind: 'stepped' }>;

/**
 * Moves a part of an erasure on by one page. The application's part counts its events and then erases them with all
 * their deliveries. An endpoint's part erases deliveries of events to all customers, and the events that were sent
 * directly to it.
 */
export async function erase(transaction: DbTransaction, input: StepInput): Promise<Stepped> {
  switch (input.part.phase) {
    case 'count_events':
      return countEvents(transaction, input);
    case 'events':
      return eraseEvents(transaction, input);
    case 'deliveries':
      return eraseEndpoint(transaction, input);
    case 'operational_events':
      return eraseOperational(transaction, input);
    case 'audit_log':
      return eraseEntries(transaction, input);
    default:
      return stepped({ phase: 'done', position: input.part.position });
  }
}

async function countEvents(transaction: DbTransaction, { turn: { scope }, part: { position } }: StepInput) {
  const page = await erasableEvents(transaction, scope, { after: position, read: COUNTED_AT_ONCE });
  const matched = page.rows.length;
  if (page.next === undefined) return stepped({ phase: 'events', position: scope.after, matched });
  return stepped({ phase: 'count_events', position: page.next, matched });
}

async function eraseEvents(transaction: DbTransaction, { turn, part }: StepInput): Promise<Erased> {
  const { scope, workspaceId } = turn;
  const page = await erasableEvents(transaction, scope, { after: part.position, read: EVENTS_AT_ONCE });
  // Do this first: it waits for fan-outs that are creating deliveries, which the next statements then see.
  await eraseWaiting(transaction, { workspaceId, eventIds: page.rows });
  const of = { workspaceId, eventIds: page.rows, after: NIL_UUID };
  const deliveries = await deliveriesOfEvents(transaction, of, 'with_content');
  await forgetAnswersAbout(transaction, { ...of, withFaults: true });
  await erasePayloads(transaction, page.rows);
  const { ended } = await eraseDeliveries(transaction, deliveries.deliveryIds, 'cancelled');
  // The same events have more deliveries. The next step finds those that still have content.
  const isWhole = deliveries.next === undefined;
  if (!isWhole) return withHeads(transaction, ended, { phase: 'events', position: part.position });
  if (scope.isWhole) await eraseNames(transaction, page.rows);
  const enqueued = page.rows.length;
  if (page.next !== undefined) {
    return withHeads(transaction, ended, { phase: 'events', position: page.next, enqueued, unended: 0 });
  }
  if (!scope.isWhole)
    return withHeads(transaction, ended, { phase: 'done', position: scope.end, enqueued, unended: 0 });
  await forgetAnswers(transaction, workspaceId, scope.applicationId ?? '');
  return withHeads(transaction, ended, { phase: 'operational_events', position: NIL_UUID, enqueued, unended: 0 });
}

/**
 * Deletes stored answers to changes with an idempotency key: changes by the customer, answers that name it, and answers
 * about deliveries to its endpoints, which contain the producer's key. They would be stored for a day.
 */
async function forgetAnswers(transaction: DbTransaction, workspaceId: string, applicationId: string): Promise<void> {
  const endpoints = await transaction.endpoint.findMany({ where: { applicationId }, select: { id: true } });
  await transaction.$executeRaw`
    delete from idempotent_answer
    where workspace_id = ${workspaceId}::uuid and (${applicationId}::uuid = any(application_ids)
      or position(${toId('app', applicationId)}::text in answer) > 0
      or substring(answer from '"endpointId":"([^"]+)"') = any(${endpoints.map(({ id }) => toId('ep', id))}::text[]))`;
}

/**
 * Erases operational events with a URL of the customer's endpoints. First deletes those that are not events yet, and
 * waits for those that a process is turning into events. Operational events that are raised later contain no URL.
 */
async function eraseOperational(transaction: DbTransaction, { turn, part, keys }: StepInput): Promise<Erased> {
  const { phase, position } = part;
  const { workspaceId } = turn;
  const applicationId = turn.scope.applicationId ?? '';
  if (position === NIL_UUID) {
    await transaction.$executeRaw`
      delete from operational_event where workspace_id = ${workspaceId}::uuid
        and facts ->> 'applicationId' = ${applicationId}::text and facts ->> 'url' <> ${ERASED_URL}::text`;
  }
  // This is the same condition as in the partial index.
  const rows = await transaction.$queryRaw<PayloadRow[]>`
    select id, payload from event where workspace_id = ${workspaceId}::uuid and event_type like 'posthorn.%'
      and id > ${position}::uuid and not is_test
    order by id limit ${EVENTS_AT_ONCE}::int`;
  const eventIds = rows.filter((row) => hasAddressOf(keys, row, toId('app', applicationId))).map(({ id }) => id);
  await eraseWaiting(transaction, { workspaceId, eventIds });
  const of = { workspaceId, eventIds, after: NIL_UUID };
  const deliveries = await deliveriesOfEvents(transaction, of, 'with_content');
  // An event with more deliveries keeps its payload, by which the next step finds it again.
  const isWhole = deliveries.next === undefined;
  if (isWhole) await erasePayloads(transaction, eventIds);
  const { ended } = await eraseDeliveries(transaction, deliveries.deliveryIds, 'cancelled');
  if (!isWhole) return withHeads(transaction, ended, { phase, position });
  const next = rows.length === EVENTS_AT_ONCE ? rows.at(-1)?.id : undefined;
  if (next !== undefined) return withHeads(transaction, ended, { phase, position: next });
  return withHeads(transaction, ended, { phase: 'audit_log', position: NIL_UUID });
}

type PayloadRow = { id: string; payload: Uint8Array | null };

/** An event whose sealing key is gone needs no erasure, because nobody can read it. */
function hasAddressOf(keys: SealingKeys, { id, payload }: PayloadRow, applicationId: string): boolean {
  const body = openPayload(keys, id, payload);
  if (body === undefined) return false;
  return body.includes(`"applicationId":"${applicationId}"`) && !body.includes(`"url":"${ERASED_URL}"`);
}

/**
 * Erases the personal values of the audit entries about the customer. The position is the sequence of the last entry,
 * as a UUID.
 */
async function eraseEntries(transaction: DbTransaction, { turn, part: { position } }: StepInput): Promise<Erased> {
  const applicationId = turn.scope.applicationId ?? '';
  const { next } = await eraseAuditValues(transaction, {
    workspaceId: turn.workspaceId,
    applicationId,
    resourceId: toId('app', applicationId),
    after: BigInt(`0x${position.replaceAll('-', '')}`),
  });
  if (next === undefined) return stepped({ phase: 'done', position: turn.scope.end });
  const hex = next.toString(16).padStart(32, '0');
  const asUuid = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
  return stepped({ phase: 'audit_log', position: asUuid });
}

async function eraseEndpoint(transaction: DbTransaction, input: StepInput): Promise<Erased> {
  const { turn, part } = input;
  const { scope } = turn;
  const { endpointId } = part;
  if (isAmongEvents(part.position)) return eraseOrderedEvents(transaction, input);
  const walk = { endpointId, after: part.position, end: scope.end };
  const page = await deliveriesToErase(
    transaction,
    scope.eventTypes === undefined ? walk : { ...walk, eventTypes: scope.eventTypes },
  );
  await eraseDirect(transaction, scope, page.directEventIds);
  const { ended } = await eraseDeliveries(transaction, page.deliveryIds, 'cancelled');
  if (scope.isWhole) await eraseNames(transaction, page.directEventIds);
  if (scope.isWhole && page.deliveryIds.length > 0) await eraseOrders(transaction, page.deliveryIds);
  const position = page.next ?? amongEvents(scope.after);
  return withHeads(transaction, ended, { phase: 'deliveries', position, ...countsOf(page.directEventIds) });
}

/**
 * The position of an endpoint's part that has read all deliveries and now reads events: the key of the last event, with
 * another first digit. It is behind all keys: a dispatcher of an earlier version finds no further deliveries, and begins
 * with the first event.
 */
const amongEvents = (key: string): string => `f${key.slice(1)}`;
const isAmongEvents = (position: string): boolean => position.startsWith('f');
const eventOf = (position: string): string => `0${position.slice(1)}`;

async function eraseOrderedEvents(transaction: DbTransaction, { turn: { scope }, part }: StepInput): Promise<Erased> {
  const { endpointId, position } = part;
  const { end, isWhole = false } = scope;
  const walk = { endpointId, after: eventOf(position), end, isWhole };
  // These events have no type.
  const page = scope.eventTypes ? { eventIds: [], next: undefined } : await orderedDirectEvents(transaction, walk);
  await eraseDirect(transaction, scope, page.eventIds);
  if (isWhole) await eraseNames(transaction, page.eventIds);
  const counts = countsOf(page.eventIds);
  if (page.next !== undefined) return stepped({ phase: 'deliveries', position: amongEvents(page.next), ...counts });
  const isCleared = !isWhole || (await clearFilters(transaction, endpointId));
  return stepped({ phase: isCleared ? 'done' : 'deliveries', position, ...counts });
}

/** Events that were sent directly to an endpoint are counted when they are erased. */
function countsOf({ length }: readonly string[]): Pick<Step, 'matched' | 'enqueued' | 'unended'> {
  return { matched: length, enqueued: length, unended: 0 };
}

async function eraseDirect(
  transaction: DbTransaction,
  { workspaceId }: OperationScope,
  eventIds: readonly string[],
): Promise<void> {
  await eraseWaiting(transaction, { workspaceId, eventIds });
  await erasePayloads(transaction, eventIds);
  await forgetAnswersAbout(transaction, { workspaceId, eventIds });
}

/** Deletes the keys. The deliveries have ended, so no order depends on them. */
async function eraseOrders(transaction: DbTransaction, deliveryIds: readonly string[]): Promise<void> {
  await transaction.$executeRaw`
    update delivery set ordering_key = null where ${among('id', deliveryIds)} and ordering_key is not null
      and status in ('delivered', 'failed', 'dead_letter')`;
}

/** Deletes the endpoint's subscriptions, and filters of former ones. Returns whether nothing is left. */
async function clearFilters(transaction: DbTransaction, endpointId: string): Promise<boolean> {
  const deleted = await transaction.$executeRaw`delete from subscription where ctid = any(array(
    select ctid from subscription where endpoint_id = ${endpointId}::uuid limit ${ROWS_AT_ONCE}::int))`;
  const former = await transaction.$executeRaw`
    update ended_subscription set filter = null where ctid = any(array(
      select ctid from ended_subscription where endpoint_id = ${endpointId}::uuid and filter is not null
      limit ${ROWS_AT_ONCE}::int))`;
  return deleted + former === 0;
}

async function withHeads(transaction: DbTransaction, ended: readonly EndedByErasure[], step: Step): Promise<Erased> {
  const cancelled = ended.map((one) => ({ ...one, wasDue: true }));
  const released = await headsBehind(transaction, cancelled);
  return { ...stepped(step), cancelled: cancelled.filter(({ isTest }) => !isTest), released };
}

function stepped(step: Step): Erased {
  return { kind: 'stepped', step, enqueue: [], cancelled: [], released: [] };
}
