import { Prisma } from '@posthorn/db/generated/client';

/** What a lease grants beyond the endpoint's timeout: time to build the request and to settle. */
export const LEASE_MARGIN_SECONDS = 5;

/** Leases lost in a row from which on a delivery may be what kills its process: it must not condemn its neighbours. */
export const SUSPECT_LOST_LEASES = 2;

/**
 * Of a row `d` that is due: open, and not leased. A version before `leased_until` left rows without one: there `due_at`
 * is the end of the lease.
 */
export const NOT_LEASED: Prisma.Sql = Prisma.sql`(d.status in ('pending', 'scheduled_retry')
  or (d.status = 'delivering' and coalesce(d.leased_until, d.due_at) <= now()))`;
