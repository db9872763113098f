import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { newToken } from '@posthorn/crypto/token';
import { systemClock as clock } from '@posthorn/runtime/clock';
import { createTestDatabase, type TestDatabase } from '@posthorn/testkit/database';
import { bootstrap } from './bootstrap.ts';
import { startBootstrap } from './start-bootstrap.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const login = { email: 'Ann@Example.com', password: 'a good password' };

test('of any number of processes that start at once one creates the first workspace, its owner, token, key and audit entry', async () => {
  const first = {
    plan: 'pro',
    clock,
    login,
    managementToken: newToken('management'),
    apiKey: newToken('apiKey'),
  } as const;
  const made = await Promise.all([1, 2, 3].map(() => bootstrap(database.db, first)));
  expect(made.filter(Boolean)).toHaveLength(1);
  const [workspace, ...others] = await database.db.workspace.findMany({
    include: {
      members: { include: { user: true } },
      managementTokens: true,
      environments: { include: { apiKeys: true } },
    },
  });
  expect(others).toEqual([]);
  expect(workspace).toMatchObject({
    slug: 'default',
    plan: 'pro',
    members: [{ role: 'owner', user: { email: 'ann@example.com', name: 'ann' } }],
    managementTokens: [{ scopes: ['read', 'write', 'keys', 'payloads'] }],
    environments: [{ isDefault: true, apiKeys: [{ name: 'First API key' }] }],
  });
  expect(await database.db.auditEntry.findMany()).toMatchObject([
    { action: 'workspace.created', actorType: 'system', actorId: 'bootstrap', workspaceId: workspace?.id },
  ]);
});

test('without a login, a token or a key in the settings none of them is created', async () => {
  const nothing = { login: undefined, managementToken: undefined, apiKey: undefined };
  expect(await bootstrap(database.db, { plan: 'free', clock, ...nothing })).toBe(true);
  const { db } = database;
  const counts = [
    db.user.count(),
    db.member.count(),
    db.managementToken.count(),
    db.apiKey.count(),
    db.workspace.count(),
  ];
  expect(await Promise.all(counts)).toEqual([0, 0, 0, 0, 1]);
});

test('a database with a workspace does not change', async () => {
  await bootstrap(database.db, { plan: 'free', clock, login, managementToken: undefined, apiKey: undefined });
  expect(
    await bootstrap(database.db, { plan: 'pro', clock, login, managementToken: undefined, apiKey: undefined }),
  ).toBe(false);
  expect(await database.db.auditEntry.count()).toBe(1);
});

test.each([
  ['with', { BOOTSTRAP_EMAIL: login.email }, []],
  ['without', { BOOTSTRAP_EMAIL: undefined }, [expect.stringContaining('no owner: BOOTSTRAP_EMAIL')]],
])('the log of a first workspace %s an address says whether it has an owner', async (_, settings, warned) => {
  const warnings: string[] = [];
  const ignore = () => undefined;
  const logger = { error: ignore, warn: (line: string) => warnings.push(line), info: ignore, debug: ignore };
  const [BOOTSTRAP_MANAGEMENT_TOKEN, BOOTSTRAP_API_KEY] = [newToken('management'), undefined];
  await startBootstrap(
    {
      DEFAULT_PLAN: 'free',
      ...settings,
      BOOTSTRAP_PASSWORD: login.password,
      BOOTSTRAP_MANAGEMENT_TOKEN,
      BOOTSTRAP_API_KEY,
    },
    { db: database.db, clock, logger, lifecycle: { onStop: () => {} }, againMs: 1_000 },
  );
  expect(warnings).toEqual(warned);
});
