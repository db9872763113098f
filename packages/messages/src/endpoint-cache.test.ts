import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import { sealContext } from '@posthorn/crypto/contexts';
import { parseSealingKeys, seal } from '@posthorn/crypto/seal';
import { newSigningSecret } from '@posthorn/crypto/signing-secret';
import { systemClock } from '@posthorn/runtime/clock';
import { createTestDatabase } from '@posthorn/testkit/database';
import { insertEndpoint } from '@posthorn/testkit/delivery-rows';

import { createEndpointCache } from './endpoint-cache.ts';

const keys = parseSealingKeys(`test:${randomBytes(32).toString('base64')}`);

const database = await createTestDatabase();
afterAll(() => database.drop());

/** Inserts endpoints with headers of this many characters, and returns their ids. */
async function insertEndpoints(count: number, characters: number): Promise<string[]> {
  const { db } = database;
  const { workspaceId, environmentId } = await insertEndpoint(db);
  const ids = Array.from({ length: count }, () => newUuid(new Date()));
  const config = characters === 0 ? {} : { headers: { 'x-large': 'a'.repeat(characters) } };
  const row = { workspaceId, environmentId, url: 'https://before.test/', config };
  await db.endpoint.createMany({ data: ids.map((id) => ({ ...row, id })) });
  const secret = Buffer.from(newSigningSecret());
  await db.signingSecret.createMany({
    data: ids.map((id) => ({
      id,
      endpointId: id,
      sealed: new Uint8Array(seal(keys, secret, sealContext.signingSecret(id))),
    })),
  });
  return ids;
}

async function revisionsOf(ids: string[]): Promise<Map<string, string>> {
  const rows = await database.db.endpoint.findMany({
    where: { id: { in: ids } },
    select: { id: true, revision: true },
  });
  return new Map(rows.map(({ id, revision }) => [id, revision]));
}

test('a change that a failover lost is not obeyed, although a later change counts as far', async () => {
  const { db } = database;
  const [id = ''] = await insertEndpoints(1, 0);
  const cache = createEndpointCache(db, keys, systemClock);
  const change = (url: string) =>
    db.endpoint.update({ where: { id }, data: { url, version: { increment: 1 } }, select: { revision: true } });
  const urlNow = async () => {
    const { revision } = await db.endpoint.findUniqueOrThrow({ where: { id } });
    const found = await cache.atRevision(id, revision);
    return found.kind === 'found' ? found.target.url : found.kind;
  };
  const before = await db.endpoint.findUniqueOrThrow({ where: { id } });
  await change('https://lost.test/');
  expect(await urlNow()).toBe('https://lost.test/');
  // The state that a failover leaves: an earlier version and revision of the row.
  const { url, version, revision } = before;
  await db.endpoint.update({ where: { id }, data: { url, version, revision } });
  expect(await urlNow()).toBe('https://before.test/');
  await change('https://again.test/');
  expect(await urlNow()).toBe('https://again.test/');
});

test('endpoints are kept up to a limit in memory, with and without headers; then the one that was used least recently is dropped', async () => {
  const ids = [...(await insertEndpoints(9, 2_200_000)), ...(await insertEndpoints(92, 0))];
  const cache = createEndpointCache(database.db, keys, systemClock);
  const revisions = await revisionsOf(ids);
  const load = (some: string[]) => Promise.all(some.map((id) => cache.atRevision(id, revisions.get(id) ?? '')));
  for (const some of [ids.slice(0, 1), ids.slice(1)]) await load(some);
  // The revision stays the same, so an endpoint in the cache is not read again.
  await database.db.endpoint.updateMany({ data: { url: 'https://after.test/' } });
  const urlsOf = async (some: string[]) =>
    new Set((await load(some)).map((found) => (found.kind === 'found' ? found.target.url : found.kind)));
  expect(await urlsOf(ids.slice(1))).toEqual(new Set(['https://before.test/']));
  expect(await urlsOf(ids.slice(0, 1))).toEqual(new Set(['https://after.test/']));
});

test('loading an endpoint tells who owns its workspace: the account that created it, or the workspace itself', async () => {
  const { db } = database;
  const [id = ''] = await insertEndpoints(1, 0);
  const { workspaceId, revision } = await db.endpoint.findUniqueOrThrow({ where: { id } });
  const [learnt, ownerId] = [new Map<string, string>(), randomUUID()];
  const owners = { learn: (workspace: string, owner: string) => void learnt.set(workspace, owner) };
  const cache = createEndpointCache(db, keys, systemClock, owners);
  await cache.atRevision(id, revision);
  expect(learnt.get(workspaceId)).toBe(workspaceId);
  await db.workspace.update({ where: { id: workspaceId }, data: { createdBy: ownerId } });
  // The owner lets all workspaces of one person share one turn among transformations.
  const transformation = { language: 'javascript', code: 'function transform() {}' };
  await db.endpoint.update({ where: { id }, data: { config: { transformation } } });
  const loaded = await createEndpointCache(db, keys, systemClock, owners).atRevision(id, revision);
  expect(learnt.get(workspaceId)).toBe(ownerId);
  expect(loaded).toMatchObject({ kind: 'found', target: { transformation: { ownerId } } });
});
