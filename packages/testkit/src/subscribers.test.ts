import { randomBytes } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { fromId, newUuid } from '@posthorn/contract/ids';
import { sealContext } from '@posthorn/crypto/contexts';
import { open, parseSealingKeys } from '@posthorn/crypto/seal';
import { createTestDatabase } from './database.ts';
import { seedWorkspace } from './seed.ts';
import { insertSubscribers } from './subscribers.ts';

const database = await createTestDatabase();
afterAll(() => database.drop());

test('each URL gets an active, subscribed endpoint with a signing secret that the services can open', async () => {
  const { db } = database;
  const sealingKeys = `test:${randomBytes(32).toString('base64')}`;
  const seeded = await seedWorkspace(db);
  const workspaceId = fromId('ws', seeded.workspaceId) ?? '';
  const environmentId = fromId('env', seeded.environmentId) ?? '';
  const { id: eventTypeId } = await db.eventType.create({
    data: { id: newUuid(new Date()), workspaceId, name: 'invoice.paid' },
  });
  const urls = ['https://one.test/', 'https://two.test/'];
  const ids = await insertSubscribers(db, { sealingKeys, workspaceId, environmentId, eventTypeId, urls });
  const endpoints = await db.endpoint.findMany({
    where: { id: { in: ids }, isActive: true, deletedAt: null },
    include: { secrets: true, subscriptions: true },
  });
  expect(ids.map((id) => endpoints.find((endpoint) => endpoint.id === id)?.url)).toEqual(urls);
  const keys = parseSealingKeys(sealingKeys);
  for (const { secrets, subscriptions } of endpoints) {
    expect(subscriptions).toMatchObject([{ eventTypeId }]);
    expect(secrets.map(({ id, sealed }) => open(keys, sealed, sealContext.signingSecret(id)).kind)).toEqual(['opened']);
  }
});
