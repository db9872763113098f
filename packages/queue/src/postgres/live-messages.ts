import type { LiveBatch } from '../live.ts';
import type { Place } from '../live-numbers.ts';
import { bytesOfIds, idsOf, MOST_BODY } from './bus.ts';

// A message has one publisher's batches for the workspaces to which a process listens: the publisher's id, and for each
// batch a head and ids. The head: workspace (16 bytes), number (4), flags (1), dropped changes (4), number of
// deliveries (2) and of events (2). A delivery is its own id and its endpoint's id.

export type NumberedBatch = LiveBatch & Pick<Place, 'number' | 'isLast'>;

const ID = 16;
const HEAD = ID + 13;
const IS_LAST = 1;
const UNKNOWN_DROPPED = 2;

/** Divides a batch into parts that each fit into a message. The last part says how many changes were dropped. */
export function partsOf(batch: LiveBatch): LiveBatch[] {
  const room = Math.floor((MOST_BODY - ID - HEAD) / ID);
  const parts: LiveBatch[] = [];
  const deliveries = [...batch.deliveries];
  const eventIds = [...batch.eventIds];
  do {
    const some = deliveries.splice(0, Math.floor(room / 2));
    const left = room - 2 * some.length;
    parts.push({ ...batch, deliveries: some, eventIds: eventIds.splice(0, left), dropped: 0 });
  } while (deliveries.length + eventIds.length > 0);
  return parts.map((part, n) => (n === parts.length - 1 ? { ...part, dropped: batch.dropped } : part));
}

/** Messages with all batches in order. Each batch must fit into a message. */
export function messagesOf(publisherId: string, batches: readonly NumberedBatch[]): Buffer[] {
  const start = bytesOfIds([publisherId]);
  const messages: Buffer[][] = [];
  let length = 0;
  for (const batch of batches) {
    const bytes = bytesOfBatch(batch);
    if (messages.length === 0 || length + bytes.length > MOST_BODY) {
      messages.push([start]);
      length = start.length;
    }
    messages.at(-1)?.push(bytes);
    length += bytes.length;
  }
  return messages.map((parts) => Buffer.concat(parts));
}

function bytesOfBatch({ workspaceId, number, isLast, dropped, deliveries, eventIds }: NumberedBatch): Buffer {
  const head = Buffer.alloc(HEAD - ID);
  head.writeUInt32BE(number, 0);
  head.writeUInt8((isLast ? IS_LAST : 0) + (dropped === null ? UNKNOWN_DROPPED : 0), 4);
  head.writeUInt32BE(Math.min(dropped ?? 0, 0xffff_ffff), 5);
  head.writeUInt16BE(deliveries.length, 9);
  head.writeUInt16BE(eventIds.length, 11);
  const ids = deliveries.flatMap(({ deliveryId, endpointId }) => [deliveryId, endpointId]);
  return Buffer.concat([bytesOfIds([workspaceId]), head, bytesOfIds([...ids, ...eventIds])]);
}

/** Reads the batches of a message, as far as they are complete. */
export function batchesOf(message: Buffer): { publisherId: string; batches: NumberedBatch[] } {
  const [publisherId = ''] = idsOf(message.subarray(0, ID));
  const batches: NumberedBatch[] = [];
  let at = ID;
  while (at + HEAD <= message.length) {
    const [workspaceId = ''] = idsOf(message.subarray(at, at + ID));
    const head = message.subarray(at + ID, at + HEAD);
    const [flags, deliveryCount] = [head.readUInt8(4), head.readUInt16BE(9)];
    const end = at + HEAD + ID * (2 * deliveryCount + head.readUInt16BE(11));
    if (end > message.length) break;
    const ids = idsOf(message.subarray(at + HEAD, end));
    const pairs = ids.splice(0, 2 * deliveryCount);
    batches.push({
      workspaceId,
      number: head.readUInt32BE(0),
      isLast: (flags & IS_LAST) > 0,
      dropped: (flags & UNKNOWN_DROPPED) > 0 ? null : head.readUInt32BE(5),
      deliveries: Array.from({ length: deliveryCount }, (_, n) => ({
        deliveryId: pairs[2 * n] ?? '',
        endpointId: pairs[2 * n + 1] ?? '',
      })),
      eventIds: ids,
    });
    at = end;
  }
  return { publisherId, batches };
}
