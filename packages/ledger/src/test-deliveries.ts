import type { Db, DbTransaction } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { retryConflicts } from '@posthorn/db/transaction';
import { type ClaimedDelivery, type ClaimRow, eventAgeSeconds, toClaimed } from './claim.ts';
import { EVENT_COLUMNS } from './claimed-event.ts';
import { askForLease, LEASE_MARGIN_SECONDS } from './lease.ts';
import { dueOf } from './waiting.ts';

// The delivery of a test (docs/interface.md, Test). The dispatcher that claims it here sends it once. It becomes due
// only after its time to begin, when `claimDeliveries` ends it, so no other code can send it.

/** A test that no dispatcher has claimed within this time is not sent. */
export const TEST_BEGINS_WITHIN_SECONDS = 20;
/** Longer than the process that waits for a consumer takes to end its test itself. */
const UNFETCHED_AFTER_SECONDS = 60;

/** The time by which a test that is created now must begin. */
export const END_TO_BEGIN: Prisma.Sql = Prisma.sql`now() + make_interval(secs => ${TEST_BEGINS_WITHIN_SECONDS}::int)`;

export type NewTestDelivery = {
  deliveryId: string;
  eventId: string;
  endpointId: string;
  workspaceId: string;
  environmentId: string;
  eventType: string | null;
  /** A consumer fetches the delivery, so it is due now. */
  isPulled?: boolean;
};

/**
 * Creates the delivery of a test. Its due time is the time by which it must begin. A delivery that a consumer fetches
 * is due now, and has this time as the end of a lease.
 */
export async function createTestDelivery(db: DbTransaction, delivery: NewTestDelivery): Promise<void> {
  const { isPulled = false } = delivery;
  const dueAt = isPulled ? dueOf(Prisma.sql`now()`, Prisma.sql`true`) : END_TO_BEGIN;
  const endsAt = isPulled ? END_TO_BEGIN : Prisma.sql`null`;
  await db.$executeRaw`
    insert into delivery (id, event_id, endpoint_id, workspace_id, environment_id, event_type, is_test, next_trigger,
      is_pulled, due_at, leased_until, pull_leased_until)
    values (${delivery.deliveryId}::uuid, ${delivery.eventId}::uuid, ${delivery.endpointId}::uuid,
      ${delivery.workspaceId}::uuid, ${delivery.environmentId}::uuid, ${delivery.eventType}, true, 'test',
      ${isPulled}::bool, ${dueAt}, ${endsAt}, ${endsAt})`;
}

/**
 * Claims the delivery of a test, even at an inactive endpoint or an open breaker. Undefined if its time to begin has
 * passed, it was claimed before, or its endpoint is deleted. Once the lease has expired, `claimDeliveries` ends it.
 */
export async function claimTestDelivery(
  db: Db,
  { deliveryId, eventId }: Pick<NewTestDelivery, 'deliveryId' | 'eventId'>,
  { defaultTimeoutSeconds }: { defaultTimeoutSeconds: number },
): Promise<ClaimedDelivery | undefined> {
  const lease = askForLease();
  const [row] = await retryConflicts(
    () => db.$queryRaw<ClaimRow[]>`
      with claimed as (
        update delivery d set status = 'delivering', due_at = now(), generation = d.generation + 1,
          lease_token = ${lease.leaseToken}::uuid,
          leased_until = now() + make_interval(secs =>
            coalesce(p.timeout_seconds, ${defaultTimeoutSeconds}::int) + ${LEASE_MARGIN_SECONDS}::int),
          updated_at = now()
        from endpoint p
        where d.id = ${deliveryId}::uuid and d.is_test and d.status = 'pending' and d.due_at > now()
          and p.id = d.endpoint_id and p.deleted_at is null
        returning d.id, d.event_id, d.workspace_id, d.endpoint_id, p.revision, d.status, d.failure_reason,
          d.total_attempts, d.manual_retries, d.next_trigger, d.schedule_step, d.lost_leases, d.ordering_key
      )
      select c.*, ${eventAgeSeconds('c.event_id')} as event_age_seconds, e.id is not null as has_event, ${EVENT_COLUMNS}
      from claimed c left join event e on e.id = ${eventId}::uuid`,
  );
  return row === undefined ? undefined : toClaimed(row, lease);
}

/** Ends a test that has not begun, so that nothing is sent. False if it has begun or ended. */
export async function cancelTestDelivery(db: Db, deliveryId: string): Promise<boolean> {
  const cancelled = await db.$executeRaw`
    update delivery set status = 'failed', failure_reason = 'cancelled', due_at = null, leased_until = null,
      generation = generation + 1, updated_at = now()
    where id = ${deliveryId}::uuid and is_test and status = 'pending'`;
  return cancelled > 0;
}

type EndedTest = Pick<NewTestDelivery, 'deliveryId' | 'endpointId' | 'workspaceId'>;

/** Ends tests that no consumer fetched and whose waiting process has died. Returns them. */
export function endUnfetchedTests(db: Db): Promise<EndedTest[]> {
  return retryConflicts(
    () => db.$queryRaw<EndedTest[]>`
      update delivery d set status = 'failed', failure_reason = 'cancelled', due_at = null, leased_until = null,
        generation = d.generation + 1, updated_at = now()
      where d.is_pulled and d.is_test and d.status = 'pending'
        and d.pull_leased_until < now() - make_interval(secs => ${UNFETCHED_AFTER_SECONDS}::int)
      returning d.id as "deliveryId", d.endpoint_id as "endpointId", d.workspace_id as "workspaceId"`,
  );
}
