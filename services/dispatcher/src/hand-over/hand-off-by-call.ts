import type { HandOverJob } from '@posthorn/queue/jobs';
import type { HandOff } from '@posthorn/queue/producer';
import { errorFields, type Logger } from '@posthorn/runtime/logger';
import type { Slots } from '../admission/slots.ts';

export type HandOffDeps = {
  /** For what this process cannot attempt now. */
  producer: HandOff;
  /** Whether an operator has paused deliveries. */
  isPaused: () => boolean;
  /** Attempts deliveries under the lease of the job. */
  take: (job: HandOverJob) => Promise<void>;
  /** The number of attempts that could begin now; 0 while this process stops. */
  room: () => number;
  /** The number of all slots of this process. */
  slotCount: number;
  slowEndpoints: Slots['slow'];
  quiet: Pick<Logger, 'warn'>;
};

/** With fewer free slots, deliveries are due, and any dispatcher takes them. */
const LEAST_ROOM_SHARE = 1 / 16;

/**
 * Hands deliveries to this dispatcher without a job, while it has room. A call may be lost with its process: the offers then
 * end, as after a job that was lost.
 */
export function createHandOff({ producer, isPaused, take, room, slotCount, slowEndpoints, quiet }: HandOffDeps): HandOff {
  const hasRoom = () => !isPaused() && room() >= Math.max(1, slotCount * LEAST_ROOM_SHARE);
  return {
    takers() {
      if (hasRoom()) return 'ready';
      return producer.takers() === 'none' ? 'none' : 'behind';
    },
    slowMs: (endpointId) => slowEndpoints().get(endpointId),
    async handOver(events, leaseToken) {
      if (leaseToken === undefined) return producer.handOver(events, undefined);
      const deliveries = events.flatMap((event) => event.deliveries);
      if (deliveries.length === 0) return;
      // The answers of their events are written first.
      setImmediate(() => {
        take({ deliveries, leaseToken }).catch((error) =>
          quiet.warn('offered deliveries wait for the reconciler', errorFields(error)),
        );
      });
    },
  };
}
