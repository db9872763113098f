import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { SeededWorkspace } from '@posthorn/testkit/seed';
import { type ApiUnderTest, startApi } from '../../test/api-under-test.ts';
import { type Caller, codeOf, createCaller, managementCaller, tally } from '../../test/caller.ts';
import { seedPerson, uuidOf } from '../../test/people.ts';

let api: ApiUnderTest;
let workspace: SeededWorkspace;
let call: Caller;
let endpointId: string;
let offsetMs = 0;

beforeAll(async () => {
  const clock = { now: () => new Date(Date.now() + offsetMs), monotonicMs: () => performance.now() };
  api = await startApi({ clock, rateLimits: { management: 0, ingest: 0 } });
});
afterAll(() => api.stop());
beforeEach(async () => {
  offsetMs = 0;
  workspace = await api.seedAnother();
  call = managementCaller(api.app, workspace);
  endpointId = (await call('post', '/endpoints', { url: 'https://127.0.0.1/' })).body.id;
});

const rotate = (body?: unknown) => call('post', `/endpoints/${endpointId}/secret/rotate`, body);
const stored = () =>
  api.db.endpoint.findUniqueOrThrow({ where: { id: uuidOf('ep', endpointId) }, include: { secrets: true } });
const newSecret = (bytes: number) => `whsec_${randomBytes(bytes).toString('base64')}`;
const SECOND = 1_000;

test('the new secret is answered, and the old one is valid beside it for a day', async () => {
  const before = (await call('get', `/endpoints/${endpointId}`)).body;
  const { version } = await stored();
  const reply = await rotate();
  expect([reply.status, reply.body]).toEqual([
    200,
    { ...before, secret: expect.stringMatching(/^whsec_/), updatedAt: expect.any(String) },
  ]);
  expect(reply.body.secret).not.toBe(before.secret);
  expect((await call('get', `/endpoints/${endpointId}`)).body).toEqual(reply.body);
  const after = await stored();
  expect(after.version).toBe(version + 1);
  const ends = after.secrets.map(({ expiresAt }) => expiresAt?.getTime() ?? 0).sort();
  expect(ends[0]).toBe(0);
  expect(Math.abs((ends[1] ?? 0) - Date.now() - 86_400 * SECOND)).toBeLessThan(60 * SECOND);
});

test('the audit log records the rotation, and never a secret', async () => {
  const { secret } = (await rotate({ gracePeriodSeconds: 60 })).body;
  const where = { workspaceId: uuidOf('ws', workspace.workspaceId) };
  const all = await api.db.auditEntry.findMany({ where, orderBy: { id: 'asc' } });
  expect(all.at(-1)).toMatchObject({
    action: 'endpoint.secret_rotated',
    resourceType: 'endpoint',
    resourceId: endpointId,
    metadata: { changes: { secret: { from: '[redacted]', to: '[redacted]' } } },
  });
  expect(inspect(all, { depth: null })).not.toContain(secret);
  expect(inspect(all, { depth: null })).not.toContain('whsec_');
});

test('at most three are valid; a grace of 0 ends the older ones at once, and is always allowed', async () => {
  expect(codeOf(await rotate())).toBe(200);
  expect(codeOf(await rotate())).toBe(200);
  expect((await stored()).secrets).toHaveLength(3);
  const refused = await rotate();
  expect([refused.status, codeOf(refused)]).toEqual([409, 'limit_reached']);
  expect(codeOf(await rotate({ gracePeriodSeconds: 0 }))).toBe(200);
  expect((await stored()).secrets).toHaveLength(1);
  expect(codeOf(await rotate({ gracePeriodSeconds: 604_800 }))).toBe(200);
});

test('an ended one does not count, and is removed', async () => {
  await rotate({ gracePeriodSeconds: 10 });
  await rotate({ gracePeriodSeconds: 10 });
  offsetMs = 11 * SECOND;
  expect(codeOf(await rotate())).toBe(200);
  expect((await stored()).secrets).toHaveLength(2);
});

test('a given secret is accepted from 24 to 64 bytes', async () => {
  for (const bytes of [24, 64]) {
    const secret = newSecret(bytes);
    expect((await rotate({ secret, gracePeriodSeconds: 0 })).body.secret).toBe(secret);
  }
});

test.each<[string, object]>([
  ['a secret of 23 bytes', { secret: newSecret(23) }],
  ['a secret of 65 bytes', { secret: newSecret(65) }],
  ['a secret without its prefix', { secret: randomBytes(32).toString('base64') }],
  ['a null secret', { secret: null }],
  ['a negative grace', { gracePeriodSeconds: -1 }],
  ['a grace over a week', { gracePeriodSeconds: 604_801 }],
  ['half a second', { gracePeriodSeconds: 0.5 }],
  ['a grace in text', { gracePeriodSeconds: '60' }],
])('%s is refused', async (_, body) => {
  expect(codeOf(await rotate(body))).toBe('validation_error');
  expect((await stored()).secrets).toHaveLength(1);
});

test('of many at once two succeed, and exactly one secret is current', async () => {
  const replies = await Promise.all(Array.from({ length: 20 }, () => rotate()));
  expect(tally(replies.map(codeOf))).toEqual({ 200: 2, limit_reached: 18 });
  const { secrets } = await stored();
  expect(secrets.filter(({ expiresAt }) => expiresAt === null)).toHaveLength(1);
});

test('the scope keys suffices and write does not; for people, the role admin does', async () => {
  for (const [scopes, expected] of [
    [['keys'], 404],
    [['read', 'write', 'payloads'], 403],
  ] as const) {
    const other = await api.seedAnother({ scopes });
    const as = managementCaller(api.app, other);
    expect((await as('post', `/endpoints/${endpointId}/secret/rotate`, {})).status).toBe(expected);
  }
  for (const [role, expected] of [
    ['member', 403],
    ['admin', 200],
  ] as const) {
    const { sessionToken } = await seedPerson(api.db, { workspaceId: workspace.workspaceId, role });
    const as = createCaller(api.app, { base: `/api/workspaces/${workspace.workspaceId}`, token: sessionToken });
    expect((await as('post', `/endpoints/${endpointId}/secret/rotate`, {})).status).toBe(expected);
  }
});

test('a deleted endpoint has no secret to rotate', async () => {
  await call('delete', `/endpoints/${endpointId}`);
  expect((await rotate()).body.error.message).toBe('Endpoint not found');
});
