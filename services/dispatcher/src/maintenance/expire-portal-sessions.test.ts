import { randomBytes } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { fromId, newUuid } from '@posthorn/contract/ids';
import { createTestDatabase } from '@posthorn/testkit/database';
import { seedWorkspace } from '@posthorn/testkit/seed';
import { deleteExpiredPortalSessions } from './expire-portal-sessions.ts';

const database = await createTestDatabase();
afterAll(() => database.drop());

test('expired portal sessions are deleted, over several batches; live ones are kept', async () => {
  const { db } = database;
  const seeded = await seedWorkspace(db);
  const workspaceId = fromId('ws', seeded.workspaceId) ?? '';
  const environmentId = fromId('env', seeded.environmentId) ?? '';
  const applicationId = newUuid(new Date());
  await db.application.create({ data: { id: applicationId, workspaceId, name: 'Customer' } });
  const sessions = (count: number, expiresInMs: number) =>
    Array.from({ length: count }, () => ({
      ...{ id: newUuid(new Date()), applicationId, environmentId, digest: randomBytes(32), capabilities: [] },
      expiresAt: new Date(Date.now() + expiresInMs),
    }));
  const live = sessions(2, 600_000);
  await db.portalSession.createMany({ data: [...sessions(1_001, -1_000), ...live] });
  expect(await deleteExpiredPortalSessions(db, AbortSignal.abort())).toBe(0);
  expect(await deleteExpiredPortalSessions(db)).toBe(1_001);
  const left = await db.portalSession.findMany({ select: { id: true }, orderBy: { id: 'asc' } });
  expect(left.map(({ id }) => id)).toEqual(live.map(({ id }) => id));
});
