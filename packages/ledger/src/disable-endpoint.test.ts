import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { createTestDatabase } from '@posthorn/testkit/database';
import { insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { disableEndpoint } from './disable-endpoint.ts';

const database = await createTestDatabase();
const { db } = database;
afterAll(() => database.drop());

describe('an endpoint deactivated by the system', () => {
  const auditOf = (resourceId: string) => db.auditEntry.findMany({ where: { resourceId } });

  test('has exactly one audit entry and one newer version, however many callers deactivate it at once', async () => {
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

  test('does not change when it was edited since the attempted revision', async () => {
    const { endpointId } = await insertEndpoint(db);
    const before = await db.endpoint.findUniqueOrThrow({ where: { id: endpointId } });
    const { revision } = await db.endpoint.update({ where: { id: endpointId }, data: { version: 2 } });
    const input = { endpointId, reason: 'gone', publicId: `ep_${endpointId}` } as const;
    expect(await disableEndpoint(db, { ...input, revision: before.revision, auditEntryId: randomUUID() })).toBe(false);
    expect(await auditOf(input.publicId)).toEqual([]);
    expect(await disableEndpoint(db, { ...input, revision, auditEntryId: randomUUID() })).toBe(true);
  });

  test('is shown in the portal when it belongs to an application', async () => {
    const { endpointId, workspaceId } = await insertEndpoint(db);
    const application = await db.application.create({ data: { id: randomUUID(), workspaceId, name: 'Customer' } });
    await db.endpoint.update({ where: { id: endpointId }, data: { applicationId: application.id } });
    const input = { endpointId, reason: 'receiver', publicId: `ep_${endpointId}`, auditEntryId: randomUUID() } as const;
    await disableEndpoint(db, input);
    expect(await auditOf(input.publicId)).toMatchObject([{ visibility: 'portal', applicationId: application.id }]);
  });

  test.each([{ isActive: false }, { deletedAt: new Date() }])(
    'does not change when it is already %j',
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
