import { afterAll, expect, test } from '@jest/globals';
import { systemClock } from '@posthorn/runtime/clock';
import { createTestDatabase } from '@posthorn/testkit/database';
import { insertDelivery, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { createPayloadMemory } from '../admission/payload-memory.ts';
import { createSlots } from '../admission/slots.ts';
import { createReadLargePayload, reserveMemory } from './large-payloads.ts';

const database = await createTestDatabase();
afterAll(() => database.drop());

test('large payloads of one workspace that wait to be read do not delay the one of another', async () => {
  const { db } = database;
  const readLargePayload = createReadLargePayload(db);
  const order: string[] = [];
  const read = async (name: string, endpoint: Awaited<ReturnType<typeof insertEndpoint>>) => {
    const { eventId, workspaceId } = await insertDelivery(db, endpoint);
    return async () => {
      await readLargePayload({ eventId, workspaceId, bytes: 1_048_576 });
      order.push(name);
    };
  };
  const flood = await insertEndpoint(db);
  const reads = [];
  for (let n = 0; n < 10; n += 1) reads.push(await read('flood', flood));
  reads.push(await read('other', await insertEndpoint(db)));
  await Promise.all(reads.map((begin) => begin()));
  expect(order.indexOf('other')).toBeLessThan(5);
  expect(order).toHaveLength(11);
});

test('recovered deliveries that wait for memory do not make a new delivery of their endpoint wait longer', async () => {
  const { returnSeconds } = createSlots({
    slots: 1,
    clock: { ...systemClock, monotonicMs: () => 0 },
    random: () => 0.5,
  });
  const deps = { payloadMemory: createPayloadMemory({ maxBytes: 1 }), returnSeconds };
  await deps.payloadMemory.reserve({ workspaceId: 'another', bytes: 1 });
  const job = { deliveryId: 'one', eventId: 'one', endpointId: 'one', workspaceId: 'one' };
  const later = (delaySeconds: number) => ({ kind: 'later', later: { delaySeconds, reason: 'payload_memory' } });
  expect(await reserveMemory(deps, { ...job, recovered: true }, 1)).toEqual(later(0.5));
  expect(await reserveMemory(deps, { ...job, recovered: true }, 1)).toEqual(later(1));
  expect(await reserveMemory(deps, job, 1)).toEqual(later(0.5));
});
