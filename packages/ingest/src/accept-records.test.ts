import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import { parseSealingKeys } from '@posthorn/crypto/seal';
import { createAcceptRecords, type RecordBatch } from './accept-records.ts';
import { createIngestMetrics } from './metrics.ts';
import type { Stored } from './store-events.ts';

const found = async () => '';
const ignore = () => undefined;

/** Stores nothing; the outcomes are given. */
function acceptWith(outcomes: Stored[]) {
  return createAcceptRecords({
    destinations: {
      requireEventType: async () => ({ published: true, check: null, search: null }),
      ...{ requireApplication: found, requireEndpoint: found },
    },
    matchAtDoor: async () => undefined,
    checkPayload: async () => null,
    openSearchKey: ignore,
    sealingKeys: parseSealingKeys(`key:${randomBytes(32).toString('base64')}`),
    clock: { now: () => new Date() },
    metrics: createIngestMetrics([]),
    stats: { countIngested: ignore },
    takeRoom: async () => ({ count: ignore, release: ignore }),
    store: async () => outcomes,
  });
}

/** As many records as this, from the first of a partition. */
function batchOf(count: number): RecordBatch {
  const [workspaceId, environmentId] = [newUuid(new Date()), newUuid(new Date())];
  const limits = { eventsPerDay: null, bytesKept: null, attemptBytesKept: null };
  const holder = { workspaceId, environmentId, ownerId: workspaceId, requireApplication: false, limits };
  const options = { idempotencyKey: undefined, application: undefined, orderingKey: undefined, deliverAt: undefined };
  const input = {
    target: { kind: 'event_type' as const, name: 'order.read' },
    ...{ ...options, contentType: 'application/json', body: Buffer.from('{}'), linkedTraceparent: undefined },
  };
  return {
    source: { id: newUuid(new Date()), revision: newUuid(new Date()), stopsOnError: false, holder },
    ...{ topic: 'orders', partition: 0, from: 0n, to: BigInt(count) },
    records: Array.from({ length: count }, (_, n) => {
      return { offset: BigInt(n), at: new Date(), size: 2, kind: 'event' as const, input };
    }),
  };
}

test('what waits because of a batch is its due deliveries, and each event whose deliveries are not made', async () => {
  const delivery = { deliveryId: '', endpointId: '', isOffered: false, isDue: false, isPulled: false, delayMs: 0 };
  const stored = { kind: 'stored' as const, isToFanOut: false, made: [], isDue: true };
  const nobodyGetsIt = stored;
  const accept = acceptWith([
    nobodyGetsIt,
    {
      ...stored,
      made: [
        { ...delivery, isOffered: true },
        { ...delivery, isDue: true },
      ],
    },
    {
      ...stored,
      made: [
        { ...delivery, isPulled: true },
        { ...delivery, delayMs: 2_000 },
      ],
    },
    { ...stored, isToFanOut: true },
  ]);
  expect(await accept(batchOf(4))).toEqual({ kind: 'moved', next: 4n, rejected: 0, waiting: 3 });
});
