import type { Claim } from '@posthorn/ledger/claim';
import type { DeliverJob, DeliverRequest } from '@posthorn/queue/jobs';

export type Leased = Extract<Claim, { kind: 'leased' }>;

export type ExpiredLeaseTimer = {
  /** Enqueues the delivery when its lease has expired, once for each lease, however often this is called. */
  enqueueAtEnd(job: DeliverJob, leased: Leased): void;
};

/**
 * Waits for the end of leases that another process held when a job of the delivery arrived: that process may have died.
 * It uses a timer and a job at the front of the queue, because BullMQ would put a delayed job behind the waiting jobs.
 * If this process ends before the timer, the reconciler finds the delivery.
 */
export function createExpiredLeaseTimer(enqueue: (deliveries: DeliverRequest[]) => void): ExpiredLeaseTimer {
  const timed = new Set<string>();
  return {
    enqueueAtEnd({ deliveryId, eventId, endpointId, workspaceId }, { generation, round, isolated, delayMs }) {
      const lease = `${deliveryId} ${round}`;
      if (timed.has(lease)) return;
      timed.add(lease);
      const enqueueNow = () => {
        timed.delete(lease);
        const mode = isolated ? 'isolated' : 'expired_lease';
        enqueue([{ deliveryId, eventId, endpointId, workspaceId, mode, generation, round, delayMs: 0 }]);
      };
      setTimeout(enqueueNow, delayMs).unref();
    },
  };
}
