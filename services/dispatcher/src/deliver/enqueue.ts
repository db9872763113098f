import type { DeliverRequest } from '@posthorn/queue/jobs';
import type { Producer } from '@posthorn/queue/producer';
import { createBatcher } from '@posthorn/runtime/batch';
import { errorFields, type Logger } from '@posthorn/runtime/logger';

/**
 * Enqueues deliveries in batches, and resolves once they are in Redis. Never rejects: deliveries that cannot be
 * enqueued wait for the reconciler.
 */
export function createEnqueue(
  producer: Pick<Producer, 'enqueueDeliveries'>,
  logger: Pick<Logger, 'warn'>,
): (deliveries: DeliverRequest[]) => Promise<void> {
  const add = createBatcher<DeliverRequest[], void>({
    async run(groups) {
      await producer.enqueueDeliveries(groups.flat());
      return groups.map(() => undefined);
    },
    maxItems: 200,
    maxInFlight: 2,
  });
  return async (deliveries) => {
    if (deliveries.length === 0) return;
    await add(deliveries).catch((error: unknown) => {
      logger.warn('deliveries wait for the reconciler', errorFields(error));
    });
  };
}
