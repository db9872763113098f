import type { Claim } from '@posthorn/ledger/claim';
import type { DeliverJob, DeliveryTicket } from '@posthorn/queue/deliver-job';

export type Leased = Extract<Claim, { kind: 'leased' }>;

/**
 * Rings for a delivery that another process holds, when its lease is over: that process may have died, and its ticket
 * would otherwise be dropped. Timed here and then put before all that waits; BullMQ would put a delayed job behind it.
 * A timer that ends with this process leaves the delivery to the sweep.
 */
export function createRingAfterLease(
  ring: (ticket: DeliveryTicket) => void,
): (job: DeliverJob, leased: Leased) => void {
  const timed = new Set<string>();
  return ({ reservedAtMs: _past, ...ids }, { generation, round, alone, delayMs }) => {
    const lease = `${ids.deliveryId} ${round}`;
    if (timed.has(lease)) return;
    timed.add(lease);
    const ringNow = () => {
      timed.delete(lease);
      ring({ ...ids, ...(alone ? { alone } : {}), generation, round, delayMs: 0, first: true });
    };
    setTimeout(ringNow, delayMs).unref();
  };
}
