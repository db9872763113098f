import { randomUUID } from 'node:crypto';
import { Prisma } from '@posthorn/db/generated/client';
import { systemClock } from '@posthorn/runtime/clock';

/** How much longer a lease lasts than the endpoint's timeout: time to build the request and to settle. */
export const LEASE_MARGIN_SECONDS = 5;

/** How long a new delivery is offered to the dispatcher that takes its job. */
export const OFFER_SECONDS = 3;
/** If less than this is left of an offer, nobody takes it, and an attempt in progress gets a lease of its own. */
export const OFFER_LEFT_SECONDS = 1;

/** What a process knows about a lease that it requests. */
export type AskedLease = {
  leaseToken: string;
  /** `performance.now()` before the claim was sent, and so before the lease began. */
  askedAtMs: number;
  /**
   * The host's wall clock at that moment. It goes on while the host is suspended, when `performance.now()` stands
   * still.
   */
  askedAtWallMs: number;
};

export function askForLease(): AskedLease {
  return { leaseToken: randomUUID(), askedAtMs: performance.now(), askedAtWallMs: systemClock.now().getTime() };
}

/**
 * Milliseconds since the lease was requested, by the clock with the greater difference: one stands still while the host
 * is suspended, and the other may be set back. After more than LEASE_MARGIN_SECONDS, a process cannot attempt and
 * settle within the lease, and must release it instead of sending.
 */
export function msSinceAsked(
  { askedAtMs, askedAtWallMs }: Pick<AskedLease, 'askedAtMs' | 'askedAtWallMs'>,
  { monotonicMs }: { monotonicMs(): number },
): number {
  return Math.max(monotonicMs() - askedAtMs, systemClock.now().getTime() - askedAtWallMs);
}

/** A delivery that lost this many leases in a row may end its process. It is processed in isolation: one at a time. */
export const SUSPECT_LOST_LEASES = 2;

/** A delivery that loses this many leases in a row is quarantined, because it may end every process that claims it. */
export const QUARANTINE_LOST_LEASES = 5;

/**
 * Condition on a row `d`: it still has to be attempted, and no dispatcher attempts it. An ended offer or lease does not
 * count. What a consumer holds is not waiting until the consumer answers or the lease is expired (`expire-leases.ts`).
 */
export const WAITS: Prisma.Sql = Prisma.sql`(d.status in ('pending', 'scheduled_retry')
  or (d.status = 'delivering' and not d.is_pulled and d.leased_until <= now()))`;

/**
 * The token of a row `d` that is ended or retried while nobody leases it. The consumer whose lease has expired may still
 * answer. A dispatcher that leased the row cannot send any more.
 */
export const TOKEN_AFTER_LEASE: Prisma.Sql = Prisma.sql`(case
  when d.is_pulled and d.status <> 'delivering' then d.lease_token end)`;

/**
 * The status of a row `d` for statements that change it. If the row `WAITS` after an ended lease, it has its status
 * from before the lease.
 */
export const STATUS_NOW: Prisma.Sql = Prisma.sql`(case when d.status <> 'delivering' or not ${WAITS} then d.status
  when d.schedule_step = 0 then 'pending' else 'scheduled_retry' end)`;

/**
 * Condition on a row `d`: open, and not leased. Versions before `leased_until` left delivering rows without it, where
 * `due_at` is the end of the lease.
 */
export const NOT_LEASED: Prisma.Sql = Prisma.sql`(d.status in ('pending', 'scheduled_retry')
  or (d.status = 'delivering' and coalesce(d.leased_until, d.due_at) <= now()))`;

/**
 * Condition on a row `d`: it was offered, and nobody took it before the offer ended. Apart from its status, it is the
 * same as a new delivery.
 */
export const OFFER_ENDED: Prisma.Sql = Prisma.sql`(d.status = 'delivering' and d.lost_leases < 0 and d.leased_until <= now())`;
