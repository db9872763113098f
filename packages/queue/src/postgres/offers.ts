import type { HandOverJob, NewDeliveryIds } from '../jobs.ts';
import { bytesOfIds, idsOf } from './bus.ts';

/** The most offers of a message: four ids each, and the token of all. */
export const MOST_OFFERS = 60;

/** The body of a message with these offers, which fit into one. */
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

/** The offers of a message. */
export function offersOf(body: Buffer): HandOverJob {
  const [leaseToken = '', ...ids] = idsOf(body);
  const deliveries: NewDeliveryIds[] = [];
  for (let at = 0; at + 4 <= ids.length; at += 4) {
    const [deliveryId = '', eventId = '', endpointId = '', workspaceId = ''] = ids.slice(at, at + 4);
    deliveries.push({ deliveryId, eventId, endpointId, workspaceId });
  }
  return { deliveries, leaseToken };
}
