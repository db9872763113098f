import { Prisma } from '@posthorn/db/generated/client';

/** A lease lasts this much longer than the endpoint's timeout: time to build the request and to settle. */
export const LEASE_MARGIN_SECONDS = 5;

/** A delivery that lost this many leases in a row may end its process. It is processed in isolation: one at a time. */
export const SUSPECT_LOST_LEASES = 2;

/** A delivery that loses this many leases in a row is quarantined, because it may end every process that claims it. */
export const QUARANTINE_LOST_LEASES = 5;

/**
 * Condition on a row `d`: open, and not leased. Versions before `leased_until` left delivering rows without one; their
 * `due_at` is the end of the lease.
 */
export const NOT_LEASED: Prisma.Sql = Prisma.sql`(d.status in ('pending', 'scheduled_retry')
  or (d.status = 'delivering' and coalesce(d.leased_until, d.due_at) <= now()))`;
