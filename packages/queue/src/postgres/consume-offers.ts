import type { Consumer } from '../consumer.ts';
import type { HandOverConsumerOptions } from '../queues.ts';
import { offersOf } from './offers.ts';
import type { Shared } from './shared.ts';

/** The most offers for each slot that may wait in this process. The others are dropped: they expire, and are taken as rows. */
const WAITING_FOR_A_SLOT = 2;

/** Takes the offers that other processes send to this one, and shows them how many it can take. */
export function consumeOffers({ bus, presence, ...options }: Shared & HandOverConsumerOptions): Consumer {
  const { handle, onJobError, room, slotCount, slowEndpoints } = options;
  const underWay = new Set<Promise<void>>();
  let waiting = 0;
  const stopTaking = bus.on('offers', (body) => {
    const { deliveries: offered, leaseToken } = offersOf(body);
    const deliveries = offered.slice(0, Math.max(0, slotCount * WAITING_FOR_A_SLOT - waiting));
    const count = deliveries.length;
    if (count < offered.length) bus.countDropped();
    if (count === 0) return;
    waiting += count;
    const ended = handle({ deliveries, leaseToken })
      .catch(onJobError)
      .finally(() => {
        waiting -= count;
        underWay.delete(ended);
      });
    underWay.add(ended);
  });
  const hide = presence.show(() => ({
    slotCount,
    freeSlots: Math.max(0, room() - waiting),
    slowEndpoints: slowEndpoints(),
  }));
  return {
    async drain() {
      // Others send offers until they know of the stop. `handle` then gives them back, so that they need not expire.
      await hide();
      while (underWay.size > 0) await Promise.all(underWay);
    },
    async close() {
      stopTaking();
      void hide();
    },
  };
}
