import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestRoles, onServer, openDatabase } from '@posthorn/testkit/database';
import { insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { findPostgres, type PostgresServer, startPostgres } from '@posthorn/testkit/postgres-server';
import { waitFor } from '@posthorn/testkit/wait-for';

const programs = await findPostgres();
const testWithPostgres = programs === undefined ? test.skip : test;
let server: PostgresServer;
beforeAll(async () => {
  if (programs !== undefined) server = await startPostgres(programs);
}, 60_000);
afterAll(async () => server?.remove());

testWithPostgres(
  "a value that exists already is not in Postgres' log: an erasure could not reach it there",
  async () => {
    const owner = openDatabase(server.url);
    const roles = await createTestRoles(owner);
    const { workspaceId } = await insertEndpoint(owner.db);
    const database = openDatabase(roles.runtimeUrl);
    const data = { workspaceId, name: 'Ann', externalId: 'ann-of-acme' };
    const create = (id: string) => database.db.application.create({ data: { id, ...data } });
    await create('0199f000-0000-7000-8000-000000000001');
    await expect(create('0199f000-0000-7000-8000-000000000002')).rejects.toThrow();
    await waitFor(() => server.log().includes('duplicate key value'), { what: 'the error in the log' });
    expect(server.log()).not.toContain('ann-of-acme');
    for (const url of [roles.runtimeUrl, roles.ownerUrl]) {
      expect(await onServer(url, 'show log_error_verbosity')).toEqual([{ log_error_verbosity: 'terse' }]);
    }
    await database.drop();
    await owner.drop();
  },
  60_000,
);
