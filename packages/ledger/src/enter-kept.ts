import type { Db } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { retryConflicts } from '@posthorn/db/transaction';
import { NIL_UUID } from '@posthorn/db/uuid-range';
import { enterLines } from './line.ts';
import { placeKept } from './waiting.ts';

/** A position among the due deliveries, after which the next page begins. */
export type KeptPlace = { dueAt: string; deliveryId: string };

export const BEFORE_ALL: KeptPlace = { dueAt: '-infinity', deliveryId: NIL_UUID };

/** A statement with this many rows takes about 50 ms. */
const PAGE = 1_000;

/**
 * Moves the next deliveries that an outage held back into the lines of their endpoints, in the order in which they were
 * due (docs/adr/0023). Their jobs then find nothing to do. Without this, each job would be refused and write its own
 * row, and new events would wait behind all of them. Heads of orders, tests, recoveries, and endpoints that want
 * everything at once are left out. Returns the last position; undefined after the last page, and if there is no outage.
 */
export async function enterKept(db: Db, after: KeptPlace): Promise<KeptPlace | undefined> {
  const [last] = await retryConflicts(
    () => db.$queryRaw<(KeptPlace & { read: number })[]>`
      with page as materialized (
        select d.id, d.due_at, d.endpoint_id from delivery d
        where d.due_at <= (select until from catch_up where ended_at = 'infinity')
          and (d.due_at, d.id) > (${after.dueAt}::timestamptz, ${after.deliveryId}::uuid)
        order by d.due_at, d.id limit ${PAGE}::int
      ), kept as materialized (
        select d.id from page join delivery d on d.id = page.id
        join endpoint p on p.id = page.endpoint_id and p.deleted_at is null and p.is_active and not p.is_pulled
          and p.config->>'catchUp' is distinct from 'at-once'
        where d.due_at = page.due_at and d.status in ('pending', 'scheduled_retry') and d.lease_token is null
          and d.ordering_key is null and not d.is_test and (d.operation_id is null or d.next_trigger = 'schedule')
        order by d.id for update of d skip locked
      ), moved as (
        update delivery d set due_at = ${placeKept(Prisma.sql`d.due_at`)}, generation = d.generation + 1, updated_at = now()
        from kept where d.id = kept.id
        returning d.endpoint_id, d.workspace_id
      ), lines as (${enterLines(Prisma.sql`select endpoint_id, (min(workspace_id::text))::uuid as workspace_id,
          0::float8 as seconds from moved group by endpoint_id`)})
      select due_at::text as "dueAt", id as "deliveryId", (select count(*)::int from page) as read
      from page order by due_at desc, id desc limit 1`,
  );
  return last === undefined || last.read < PAGE ? undefined : { dueAt: last.dueAt, deliveryId: last.deliveryId };
}
