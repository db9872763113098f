import { hash as digest } from 'node:crypto';

/**
 * The id of an event's only delivery to an endpoint. It is derived from both, so a repeated fan-out inserts no
 * duplicate. It contains the event's time, so the delivery is in the event's daily partition and sorts with it.
 */
export function deliveryIdFor(eventId: string, endpointId: string): string {
  const hash = digest('sha256', eventId + endpointId, 'hex');
  // A UUIDv7: 48 bits of time, the version and the variant. The other bits come from the hash.
  const variant = ((Number.parseInt(hash.slice(3, 4), 16) & 0x3) | 0x8).toString(16);
  return `${eventId.slice(0, 13)}-7${hash.slice(0, 3)}-${variant}${hash.slice(4, 7)}-${hash.slice(7, 19)}`;
}

/** The range of ids that an event's deliveries may have. Events of the same millisecond share it. */
export function deliveryIdsOf(eventId: string): { lowest: string; highest: string } {
  const time = eventId.slice(0, 13);
  return { lowest: `${time}-0000-0000-000000000000`, highest: `${time}-ffff-ffff-ffffffffffff` };
}
