import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import { sealContext } from '@posthorn/crypto/contexts';
import { parseSealingKeys, seal } from '@posthorn/crypto/seal';
import { newSigningSecret } from '@posthorn/crypto/signing-secret';
import { systemClock } from '@posthorn/runtime/clock';
import { createTestDatabase, type TestDatabase } from '@posthorn/testkit/database';
import { insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { createEndpointCache } from './endpoint-cache.ts';

const keys = parseSealingKeys(`test:${randomBytes(32).toString('base64')}`);

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
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

test('endpoints are kept up to a limit in memory, with and without headers; then the one that was used least recently is dropped', async () => {
  const ids = [...(await insertEndpoints(9, 2_200_000)), ...(await insertEndpoints(92, 0))];
  const cache = createEndpointCache(database.db, keys, systemClock);
  const load = (some: string[]) => Promise.all(some.map((id) => cache.atVersion(id, 1)));
  for (const some of [ids.slice(0, 1), ids.slice(1)]) await load(some);
  // The version stays, so that an endpoint that is kept is not read again.
  await database.db.endpoint.updateMany({ data: { url: 'https://after.test/' } });
  const urlsOf = async (some: string[]) =>
    new Set((await load(some)).map((found) => (found.kind === 'found' ? found.target.url : found.kind)));
  expect(await urlsOf(ids.slice(1))).toEqual(new Set(['https://before.test/']));
  expect(await urlsOf(ids.slice(0, 1))).toEqual(new Set(['https://after.test/']));
});
