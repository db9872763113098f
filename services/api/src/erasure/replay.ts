import { eventTypeName } from '@posthorn/contract/event-types';
import { fromId, newUuid, toId } from '@posthorn/contract/ids';
import type { Db, DbTransaction } from '@posthorn/db/client';
import { inTransaction } from '@posthorn/db/transaction';
import { lowestKeyAt, NIL_UUID } from '@posthorn/db/uuid-range';
import { deliveriesOfEvents, eraseDeliveries, erasePayloads, eraseWaiting } from '@posthorn/ledger/erase';
import type { Clock } from '@posthorn/runtime/clock';
import { z } from 'zod';
import { writeEntry } from '../audit/change.ts';
import { forgetAnswers } from './erase-payload.ts';
import { insertErasure } from './start-erasure.ts';

const LAST_KEY = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const payloadErasure = z.strictObject({ workspaceId: z.string(), eventId: z.string(), at: z.iso.datetime() });
const customerErasure = z.strictObject({
  workspaceId: z.string(),
  applicationId: z.string(),
  eventTypes: z.array(eventTypeName).nullable(),
  from: z.iso.datetime({ offset: true }).nullable(),
  to: z.iso.datetime({ offset: true }).nullable(),
  at: z.iso.datetime(),
});
type CustomerErasure = z.output<typeof customerErasure>;

/** A recorded erasure, as `posthorn-admin erasures list` prints it: of a payload, or of a customer's data. */
export const recordedErasure = z.union([payloadErasure, customerErasure]);
export type RecordedErasure = z.output<typeof recordedErasure>;

type Entry = { id: string; workspaceId: string; resourceId: string; filter: unknown; createdAt: Date };

/** Every erasure that the audit log knows, oldest first. Each statement reads one part of the log, however long it is. */
export async function* recordedErasures(db: Db, entriesInPart = 10_000): AsyncGenerator<RecordedErasure> {
  for (let after: string | undefined = NIL_UUID; after !== undefined; ) {
    const [end]: { id: string }[] = await db.$queryRaw`
      select id from audit_entry where id > ${after}::uuid order by id offset ${entriesInPart - 1}::int limit 1`;
    const entries: Entry[] = await db.$queryRaw`
      select id, workspace_id as "workspaceId", resource_id as "resourceId", created_at as "createdAt",
        metadata -> 'changes' -> 'filter' -> 'to' as filter
      from audit_entry
      where id > ${after}::uuid and id <= ${end?.id ?? LAST_KEY}::uuid and (action = 'payload.erased'
        or (action = 'operation.started' and metadata -> 'changes' -> 'type' ->> 'to' = 'erasure'))
      order by id`;
    for (const { workspaceId, resourceId, filter, createdAt } of entries) {
      const common = { workspaceId: toId('ws', workspaceId), at: createdAt.toISOString() };
      yield recordedErasure.parse(
        filter === null ? { ...common, eventId: resourceId } : { ...common, ...Object(filter) },
      );
    }
    after = end?.id;
  }
}

export type Replayed = 'erased' | 'started' | 'nothing_left';

/**
 * Erases again what a restored backup has brought back. A payload is erased at once; the erasure of a customer is an
 * operation that dispatchers run. `nothing_left` when the event or the application does not exist.
 */
export async function replayErasure(db: Db, erasure: RecordedErasure, clock: Clock): Promise<Replayed> {
  const workspaceId = fromId('ws', erasure.workspaceId) ?? '';
  if ('applicationId' in erasure) return replayCustomer(db, { workspaceId, erasure, clock });
  const event = await db.event.findFirst({
    where: { id: fromId('msg', erasure.eventId) ?? '', workspaceId },
    select: { id: true, payloadSize: true, endpointId: true, isTest: true, schemaErrors: true },
  });
  if (event === null) return 'nothing_left';
  let erased = await inTransaction(db, async (transaction) => {
    const waiting = await eraseWaiting(transaction, { workspaceId, eventIds: [event.id] });
    const payloads = await erasePayloads(transaction, [event.id]);
    await forgetAnswers(transaction, { ...event, workspaceId });
    await enterPayload(transaction, { workspaceId, erasure, payloadBytes: payloads * event.payloadSize, clock });
    return payloads + waiting > 0;
  });
  for (let after: string | undefined = NIL_UUID; after !== undefined; ) {
    const of = { workspaceId, eventIds: [event.id], after };
    const page = await inTransaction(db, async (transaction) => {
      const { deliveryIds, next } = await deliveriesOfEvents(transaction, of);
      const { attempts, ended } = await eraseDeliveries(transaction, deliveryIds, 'cancelled');
      return { next, isNew: attempts + ended.length > 0 };
    });
    erased ||= page.isNew;
    after = page.next;
  }
  return erased ? 'erased' : 'nothing_left';
}

type PayloadEntry = {
  workspaceId: string;
  erasure: z.output<typeof payloadErasure>;
  payloadBytes: number;
  clock: Clock;
};

/**
 * Writes the audit entry of a payload's erasure, unless the backup has it. Without the entry, the next list would lack
 * the erasure, and another restore of the backup would bring the payload back.
 */
async function enterPayload(
  transaction: DbTransaction,
  { workspaceId, erasure, payloadBytes, clock }: PayloadEntry,
): Promise<void> {
  const { eventId, at } = erasure;
  const known = { workspaceId, action: 'payload.erased', resourceId: eventId, createdAt: { gte: new Date(at) } };
  if ((await transaction.auditEntry.count({ where: known })) > 0) return;
  const changes = { payloadBytes: { from: payloadBytes, to: 0 } };
  await writeEntry(transaction, byAdmin(workspaceId, clock), 'payload.erased', { resourceId: eventId, changes });
}

function byAdmin(workspaceId: string, clock: Clock) {
  const actor = { type: 'system', id: 'posthorn-admin', label: 'posthorn-admin' } as const;
  const origin = { ip: null, userAgent: null, requestId: newUuid(clock.now()) };
  return { workspaceId, actor, origin, clock };
}

async function replayCustomer(
  db: Db,
  { workspaceId, erasure, clock }: { workspaceId: string; erasure: CustomerErasure; clock: Clock },
): Promise<Replayed> {
  const { eventTypes, from, to } = erasure;
  const applicationId = fromId('app', erasure.applicationId) ?? '';
  if ((await db.application.count({ where: { id: applicationId, workspaceId } })) === 0) return 'nothing_left';
  const isWhole = eventTypes === null && from === null && to === null;
  const now = clock.now();
  // Events after the recorded erasure must stay. A customer that is erased as a whole gets no further events.
  const end = isWhole ? now : new Date(Math.min(Date.parse(to ?? erasure.at), Date.parse(erasure.at)));
  await inTransaction(db, async (transaction) => {
    // The entry has the end, so that a further replay keeps it, too.
    const filter = { applicationId: erasure.applicationId, eventTypes, from, to: isWhole ? null : end.toISOString() };
    const after = from === null ? NIL_UUID : lowestKeyAt(new Date(from));
    const range = { after, end: lowestKeyAt(end), isWhole };
    const given = { workspaceId, applicationId, eventTypes: eventTypes ?? undefined, ...range, filter };
    const { row } = await insertErasure(transaction, given, now);
    const changes = { type: { from: null, to: 'erasure' }, filter: { from: null, to: filter } };
    const entry = { resourceId: toId('op', row.id), changes };
    await writeEntry(transaction, byAdmin(workspaceId, clock), 'operation.started', entry);
  });
  return 'started';
}
