import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Db } from '@posthorn/db/client';
import { lowestKeyAt } from '@posthorn/db/partitions';
import { createTestDatabase, type TestDatabase } from '@posthorn/testkit/database';
import { type DeliveryRow, type EndpointRow, insertDelivery, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { claimDeliveries } from './claim.ts';
import { disableEndpoint } from './disable-endpoint.ts';
import { expireDeliveries } from './expire.ts';
import { handBackDeliveries } from './hand-back.ts';
import { retryDeliveryNow } from './retry-now.ts';

let database: TestDatabase;
let db: Db;
let endpoint: EndpointRow;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
  endpoint = await insertEndpoint(db);
});
afterAll(() => database.drop());

const read = ({ deliveryId }: DeliveryRow) => db.delivery.findUniqueOrThrow({ where: { id: deliveryId } });

async function claim(
  delivery: DeliveryRow,
): Promise<{ deliveryId: string; leaseToken: string; attemptNumber: number; delaySeconds: number }> {
  const [answer] = await claimDeliveries(db, [{ ...delivery, alone: true }], { defaultTimeoutSeconds: 15 });
  if (answer?.kind !== 'claimed') throw new Error('the delivery was not claimed');
  return { ...answer, delaySeconds: 0 };
}

describe('a hand-back at shutdown', () => {
  test.each([
    ['pending', 0],
    ['scheduled_retry', 3],
  ] as const)('makes what was %s that again, due now, with no attempt spent', async (status, scheduleStep) => {
    const given = { status, scheduleStep, totalAttempts: scheduleStep, nextTrigger: 'manual', lostLeases: 1 } as const;
    const delivery = await insertDelivery(db, endpoint, given);
    const handedBack = await handBackDeliveries(db, [await claim(delivery)]);
    expect(handedBack).toEqual([{ generation: 1 }]);
    expect(await read(delivery)).toMatchObject({ ...given, leaseToken: null });
    expect(await claim(delivery)).toMatchObject({ attemptNumber: scheduleStep + 1, trigger: 'manual' });
  });

  test('leaves alone what another has claimed since, or what has ended', async () => {
    const [taken, ended] = [await insertDelivery(db, endpoint), await insertDelivery(db, endpoint)];
    const leases = [await claim(taken), await claim(ended)];
    await db.delivery.update({ where: { id: taken.deliveryId }, data: { leaseToken: randomUUID() } });
    await db.delivery.update({ where: { id: ended.deliveryId }, data: { status: 'delivered', dueAt: null } });
    expect(await handBackDeliveries(db, leases)).toEqual([undefined, undefined]);
    expect([await read(taken), await read(ended)]).toMatchObject([{ status: 'delivering' }, { status: 'delivered' }]);
  });
});

describe('a retry asked for', () => {
  test.each(['pending', 'scheduled_retry', 'delivered', 'failed', 'dead_letter'] as const)(
    'makes what is %s pending, due now, with one full schedule again',
    async (status) => {
      const at = new Date('2026-11-20T00:00:00.000Z');
      const kept = { totalAttempts: 9, firstAttemptAt: at, deliveredAt: at, lastResponseStatus: 500 };
      const delivery = await insertDelivery(db, endpoint, {
        ...kept,
        status,
        scheduleStep: 9,
        lostLeases: 2,
        generation: 4,
        failureReason: 'retries_exhausted',
        dueInSeconds: status === 'scheduled_retry' ? 3_600 : null,
      });
      expect(await retryDeliveryNow(db, delivery.deliveryId, 100)).toEqual({
        kind: 'retried',
        generation: 5,
        from: status,
      });
      expect(await read(delivery)).toMatchObject({
        ...kept,
        status: 'pending',
        scheduleStep: 0,
        lostLeases: 0,
        failureReason: null,
        nextTrigger: 'manual',
      });
      expect(await claim(delivery)).toMatchObject({ attemptNumber: 10, trigger: 'manual', scheduleStep: 0 });
    },
  );

  test('does not touch what is being delivered', async () => {
    const delivery = await insertDelivery(db, endpoint);
    await claim(delivery);
    const before = await read(delivery);
    expect(await retryDeliveryNow(db, delivery.deliveryId, 100)).toEqual({ kind: 'in_progress' });
    expect(await read(delivery)).toEqual(before);
  });

  test('is made at most as often as allowed, also when all are asked for at once', async () => {
    const delivery = await insertDelivery(db, endpoint, { status: 'failed', dueInSeconds: null });
    const kinds = await Promise.all(
      Array.from({ length: 5 }, async () => (await retryDeliveryNow(db, delivery.deliveryId, 3)).kind),
    );
    expect(kinds.sort()).toEqual(['limit_reached', 'limit_reached', 'retried', 'retried', 'retried']);
    await db.delivery.update({ where: { id: delivery.deliveryId }, data: { status: 'failed', dueAt: null } });
  });

  test('says when there is no such delivery', async () => {
    expect(await retryDeliveryNow(db, randomUUID(), 100)).toEqual({ kind: 'missing' });
  });
});

describe('an endpoint deactivated by the system', () => {
  const auditOf = (resourceId: string) => db.auditEntry.findMany({ where: { resourceId } });

  test('leaves exactly one entry, however many say so at once, and a newer version', async () => {
    const { endpointId, workspaceId } = await insertEndpoint(db);
    const input = { endpointId, reason: 'gone', publicId: `ep_${endpointId}` } as const;
    const changed = await Promise.all(
      Array.from({ length: 10 }, () => disableEndpoint(db, { ...input, auditEntryId: randomUUID() })),
    );
    expect(changed.filter(Boolean)).toHaveLength(1);
    const row = await db.endpoint.findUniqueOrThrow({ where: { id: endpointId } });
    expect(row).toMatchObject({ isActive: false, disabledReason: 'gone', disabledAt: expect.any(Date), version: 2 });
    expect(row.updatedAt).toEqual(row.disabledAt);
    expect(await auditOf(input.publicId)).toMatchObject([
      {
        workspaceId,
        actorType: 'system',
        action: 'endpoint.disabled',
        resourceType: 'endpoint',
        visibility: 'workspace',
        metadata: { changes: { isActive: { from: true, to: false } } },
      },
    ]);
  });

  test('is left as it is when it was edited since the version that was attempted', async () => {
    const { endpointId } = await insertEndpoint(db);
    await db.endpoint.update({ where: { id: endpointId }, data: { version: 2 } });
    const input = { endpointId, reason: 'gone', publicId: `ep_${endpointId}` } as const;
    expect(await disableEndpoint(db, { ...input, version: 1, auditEntryId: randomUUID() })).toBe(false);
    expect(await auditOf(input.publicId)).toEqual([]);
    expect(await disableEndpoint(db, { ...input, version: 2, auditEntryId: randomUUID() })).toBe(true);
  });

  test('is shown in the portal when it is an application’s', async () => {
    const { endpointId, workspaceId } = await insertEndpoint(db);
    const application = await db.application.create({ data: { id: randomUUID(), workspaceId, name: 'Customer' } });
    await db.endpoint.update({ where: { id: endpointId }, data: { applicationId: application.id } });
    const input = { endpointId, reason: 'receiver', publicId: `ep_${endpointId}`, auditEntryId: randomUUID() } as const;
    await disableEndpoint(db, input);
    expect(await auditOf(input.publicId)).toMatchObject([{ visibility: 'portal', applicationId: application.id }]);
  });

  test.each([{ isActive: false }, { deletedAt: new Date() }])(
    'is left as it is when it is %j already',
    async (given) => {
      const { endpointId } = await insertEndpoint(db, given);
      const input = {
        endpointId,
        reason: 'failing',
        publicId: `ep_${endpointId}`,
        auditEntryId: randomUUID(),
      } as const;
      expect(await disableEndpoint(db, input)).toBe(false);
      expect(await auditOf(input.publicId)).toEqual([]);
    },
  );
});

test('what is still open at the end of its retention fails as payload_expired; what has ended stays as it was', async () => {
  const dayMs = 86_400_000;
  const keyOf = (daysOld: number, n: number) =>
    lowestKeyAt(new Date(Date.now() - daysOld * dayMs)).replace(/0$/, String(n));
  const statuses = ['pending', 'scheduled_retry', 'delivering', 'delivered'] as const;
  const rows = await Promise.all(
    statuses.map((status, n) =>
      insertDelivery(db, endpoint, { status, key: keyOf(0.9, n), dueInSeconds: status === 'delivered' ? null : 0 }),
    ),
  );
  const young = await insertDelivery(db, endpoint, { key: keyOf(0.1, 1) });
  // A retention of no days has ended for what is older than this instant: the youngest is a day ahead of it.
  await db.delivery.update({ where: { id: young.deliveryId }, data: { status: 'delivered', dueAt: null } });
  expect(await expireDeliveries(db, 1)).toBe(0);
  expect(await expireDeliveries(db, 0)).toBe(3);
  for (const [index, row] of rows.entries()) {
    const ended = { status: 'failed', failureReason: 'payload_expired', dueAt: null };
    expect(await read(row)).toMatchObject(statuses[index] === 'delivered' ? { status: 'delivered' } : ended);
  }
});
