import type { HandOverJob, NewDeliveryIds } from '../jobs.ts';
import { bytesOfIds, idsOf } from './bus.ts';

/** The most offers in a message: four ids for each, and one token for all. */
export const MOST_OFFERS = 60;

/** The body of a message with these offers, which must fit into one message. */
export function bytesOfOffers({
  deliveries,
  leaseToken,
}: Pick<HandOverJob, 'deliveries'> & { leaseToken: string }): Buffer {
  const ids = deliveries.flatMap(({ deliveryId, eventId, endpointId, workspaceId }) => [
    deliveryId,
    eventId,
    endpointId,
    workspaceId,
  ]);
  return bytesOfIds([leaseToken, ...ids]);
}

/** The offers in a message. */
export function offersOf(body: Buffer): HandOverJob {
  const [leaseToken = '', ...ids] = idsOf(body);
  const deliveries: NewDeliveryIds[] = [];
  for (let at = 0; at + 4 <= ids.length; at += 4) {
    const [deliveryId = '', eventId = '', endpointId = '', workspaceId = ''] = ids.slice(at, at + 4);
    deliveries.push({ deliveryId, eventId, endpointId, workspaceId });
  }
  return { deliveries, leaseToken };
}
