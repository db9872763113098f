import type { Db } from '@posthorn/db/client';
import { retryConflicts } from '@posthorn/db/transaction';
import { among, rangeOf } from '@posthorn/db/uuid-range';
import { type ClaimedDelivery, type ClaimRow, toClaimed } from './claim.ts';
import { type ClaimedEvent, MAX_CLAIMED_PAYLOAD_BYTES } from './claimed-event.ts';
import { type AskedLease, askForLease, LEASE_MARGIN_SECONDS, OFFER_LEFT_SECONDS, OFFER_SECONDS } from './lease.ts';
import { readStatement } from './statement.ts';

// A delivery that is created on acceptance of its event (`sql/accept.sql`) is leased from the start (docs/adr/0021).
// The lease is an offer: it is short, and a job carries its token to a dispatcher. Most attempts end within it, so
// nothing is written for them before they end. An offer that nobody took costs a delivery no lost lease: its
// `lost_leases` begin at -1.

const TAKE = readStatement<ClaimRow & { left_ms: number }>('take');

/** Deliveries that were handed over together, under one token. */
export type Offered = { deliveries: readonly { deliveryId: string; eventId: string }[]; leaseToken: string };

/**
 * Reads what the attempts of offered deliveries need, and writes nothing. It applies the conditions of a claim. It
 * leaves out a delivery whose offer has ended, was taken back, ends soon or has become the lease of another attempt,
 * whose endpoint is inactive or deleted, or whose breaker is open. Release these with the token: their next claim
 * decides about them.
 */
export async function takeOffers(
  db: Pick<Db, '$queryRawUnsafe'>,
  { deliveries, leaseToken }: Offered,
): Promise<ClaimedDelivery[]> {
  if (deliveries.length === 0) return [];
  const eventIds = deliveries.map((delivery) => delivery.eventId);
  // Note the time before the select is sent, so that the offer never has less time left than its taker believes.
  const lease = { ...askForLease(), leaseToken };
  const deliveryIds = deliveries.map((delivery) => delivery.deliveryId);
  const rows = await TAKE.run(db, [
    deliveryIds,
    ...rangeOf(deliveryIds),
    ...rangeOf(eventIds),
    leaseToken,
    OFFER_LEFT_SECONDS,
    MAX_CLAIMED_PAYLOAD_BYTES,
  ]);
  return rows.map(({ left_ms, ...row }) => ({ ...toClaimed(row, lease), offerLeftMs: left_ms }));
}

/** A delivery that was offered in this process, with all that its attempt needs. */
export type KnownOffer = NewDelivery & {
  leaseToken: string;
  content: OfferedContent;
};
type NewDelivery = Pick<ClaimedDelivery, 'deliveryId' | 'eventId' | 'endpointId' | 'workspaceId'>;
type OfferedContent = Pick<AskedLease, 'askedAtMs' | 'askedAtWallMs'> &
  Pick<ClaimedEvent, 'eventType' | 'idempotencyKey' | 'contentType' | 'payload' | 'hasOneAttempt'> & {
    /** Endpoint revisions by delivery id. */
    revisions: ReadonlyMap<string, string>;
  };

/**
 * The delivery as `takeOffers` would read it just after its commit. The statement that offered it applied the
 * conditions of a claim. Undefined if the revision of its endpoint is not known.
 */
export function knownOffer(
  { content, leaseToken, ...ids }: KnownOffer,
  clock: { now(): Date },
): ClaimedDelivery | undefined {
  const { askedAtMs, askedAtWallMs, revisions, payload, ...event } = content;
  const endpointRevision = revisions.get(ids.deliveryId);
  if (endpointRevision === undefined) return undefined;
  const isLarge = payload !== null && payload.length > MAX_CLAIMED_PAYLOAD_BYTES;
  const { deliveryId, eventId, endpointId, workspaceId } = ids;
  return {
    ...{ deliveryId, eventId, endpointId, workspaceId, endpointRevision },
    ...{ leaseToken, askedAtMs, askedAtWallMs, offerLeftMs: 1_000 * OFFER_SECONDS },
    orderingKey: null,
    attemptNumber: 1,
    manualRetries: 0,
    trigger: 'schedule',
    scheduleStep: 0,
    lostLeases: 0,
    eventAgeSeconds: Math.max(0, clock.now().getTime() - msOf(eventId)) / 1_000,
    event: {
      ...event,
      orderingKey: null,
      deliverAt: null,
      isErased: false,
      payload: isLarge ? null : payload,
      leftOutBytes: isLarge ? payload.length : null,
    },
  };
}

/** The time of a UUIDv7: its first 48 bits. */
function msOf(id: string): number {
  return Number.parseInt(id.replace('-', '').slice(0, 12), 16);
}

export type HeldOffer = { deliveryId: string; leaseToken: string };

/**
 * Gives attempts in progress the lease that a claim would have given them: the endpoint's timeout and a margin, from
 * now. Returns for each, in order, whether its offer was still held.
 */
export async function leaseOffers(
  db: Db,
  offers: readonly HeldOffer[],
  { defaultTimeoutSeconds }: { defaultTimeoutSeconds: number },
): Promise<boolean[]> {
  const deliveryIds = offers.map((offer) => offer.deliveryId);
  const rows = await retryConflicts(
    () => db.$queryRaw<{ id: string }[]>`
      update delivery d set lost_leases = greatest(d.lost_leases, 0), updated_at = now(),
        leased_until = now() + make_interval(secs =>
          coalesce(p.timeout_seconds, ${defaultTimeoutSeconds}::int) + ${LEASE_MARGIN_SECONDS}::int)
      from endpoint p, (select * from unnest(${deliveryIds}::uuid[], ${offers.map((offer) => offer.leaseToken)}::uuid[])
        as o(delivery_id, lease_token)) o
      where ${among('d.id', deliveryIds)} and d.id = o.delivery_id and d.lease_token = o.lease_token
        and d.status = 'delivering' and p.id = d.endpoint_id
      returning d.id`,
  );
  const held = new Set(rows.map((row) => row.id));
  return deliveryIds.map((id) => held.has(id));
}
