import type { HandOverJob, NewDeliveryIds } from '../jobs.ts';
import { bytesOfIds, idsOf } from './bus.ts';

/** Of one message: four ids each, and the token of all. */
const AT_ONCE = 60;

/** Gives the bytes of the offers to `send`, in parts that each fit into a message, with the number of offers in it. */
export function sendOffers(
  { deliveries, leaseToken }: { deliveries: readonly NewDeliveryIds[]; leaseToken: string },
  send: (part: Buffer, count: number) => void,
): void {
  for (let start = 0; start < deliveries.length; start += AT_ONCE) {
    const part = deliveries.slice(start, start + AT_ONCE);
    const ids = part.flatMap(({ deliveryId, eventId, endpointId, workspaceId }) => [
      deliveryId,
      eventId,
      endpointId,
      workspaceId,
    ]);
    send(bytesOfIds([leaseToken, ...ids]), part.length);
  }
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
