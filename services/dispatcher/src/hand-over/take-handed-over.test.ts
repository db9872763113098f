import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import type { ClaimedDelivery } from '@posthorn/ledger/claim';
import { deferDeliveries } from '@posthorn/ledger/defer';
import type { DeliverRequest, NewDeliveryIds } from '@posthorn/queue/jobs';
import { systemClock } from '@posthorn/runtime/clock';
import { createTestDatabase } from '@posthorn/testkit/database';
import { type EndpointRow, insertDelivery, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { NOTHING_RESERVED } from '../../test/fan-out-deps.ts';
import type { Reservation } from '../fan-out/immediate-attempts.ts';
import { createTakeHandedOver } from './take-handed-over.ts';

const database = await createTestDatabase();
const { db } = database;
afterAll(() => database.drop());

const leaseToken = randomUUID();
let endpoint: EndpointRow;
let begun: string[];
let claimed: string[];
let enqueued: DeliverRequest[];
let released: number;
beforeEach(async () => {
  [begun, claimed, enqueued, released] = [[], [], [], 0];
  endpoint = await insertEndpoint(db);
});

/** A delivery as it is handed over, offered or due. */
async function handedOver({ isOffered = true, leftSeconds = 3 } = {}): Promise<NewDeliveryIds> {
  const offer = { status: 'delivering', leaseToken, lostLeases: -1, dueInSeconds: leftSeconds } as const;
  const { deliveryId, eventId, endpointId, workspaceId } = await insertDelivery(db, endpoint, isOffered ? offer : {});
  return { deliveryId, eventId, endpointId, workspaceId };
}

function take(job: { deliveries: NewDeliveryIds[]; leaseToken?: string }, given: Partial<Reservation> = {}) {
  const reservation: Reservation = {
    ...NOTHING_RESERVED,
    begin: (claims: readonly ClaimedDelivery[]) => void begun.push(...claims.map(({ deliveryId }) => deliveryId)),
    claim: (deliveries) => void claimed.push(...deliveries.map(({ deliveryId }) => deliveryId)),
    release: () => {
      released += 1;
    },
    ...given,
  };
  return createTakeHandedOver({
    db,
    immediate: { awaitRoom: async () => {}, reserve: async () => reservation },
    defer: async (delivery) => (await deferDeliveries(db, [delivery]))[0],
    enqueue: (deliveries) => void enqueued.push(...deliveries),
    live: { deliveryChanged: () => {} },
    clock: systemClock,
  })(job);
}

const read = ({ deliveryId }: NewDeliveryIds) => db.delivery.findUniqueOrThrow({ where: { id: deliveryId } });

test('an offered delivery with a slot is attempted under its offer', async () => {
  const delivery = await handedOver();
  await take({ deliveries: [delivery], leaseToken }, { has: () => true });
  expect([begun, enqueued, released]).toEqual([[delivery.deliveryId], [], 1]);
  expect(await read(delivery)).toMatchObject({ status: 'delivering', leaseToken });
});

test('an offered delivery without a slot is due, and waits for one as a job', async () => {
  const [mine, other] = [await handedOver(), await handedOver()];
  await take({ deliveries: [mine, other], leaseToken }, { has: (id) => id === mine.deliveryId });
  expect(begun).toEqual([mine.deliveryId]);
  expect(enqueued).toEqual([{ ...other, generation: 1, delayMs: 0 }]);
  expect(await read(other)).toMatchObject({ status: 'pending', leaseToken: null, generation: 1 });
});

test('an offered delivery whose offer soon ends is claimed instead', async () => {
  const delivery = await handedOver({ leftSeconds: 0.5 });
  await take({ deliveries: [delivery], leaseToken }, { has: () => true });
  expect([begun, enqueued]).toEqual([[], [{ ...delivery, generation: 1, delayMs: 0 }]]);
});

test('a delivery whose offer somebody else has ended is dropped', async () => {
  const delivery = await handedOver();
  await db.delivery.update({
    where: { id: delivery.deliveryId },
    data: { status: 'failed', failureReason: 'cancelled', leaseToken: null, dueAt: null },
  });
  await take({ deliveries: [delivery], leaseToken }, { has: () => true });
  expect([begun, enqueued]).toEqual([[], []]);
});

test('deliveries that are due are claimed together as far as there are slots; the others become jobs, without a statement', async () => {
  const [mine, other] = [await handedOver({ isOffered: false }), await handedOver({ isOffered: false })];
  await take({ deliveries: [mine, other] }, { has: (id) => id === mine.deliveryId });
  expect([claimed, begun]).toEqual([[mine.deliveryId], []]);
  expect(enqueued).toEqual([{ ...other, generation: 0, delayMs: 0 }]);
});
