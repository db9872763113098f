import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Role, Scope } from '@posthorn/contract/access';
import { type ApiUnderTest, startApi } from '../../test/api-under-test.ts';
import { type Caller, createCaller } from '../../test/caller.ts';
import { seedPerson, uuidOf } from '../../test/people.ts';

const url = 'https://127.0.0.1/hook';
let api: ApiUnderTest;
let operator: Caller;
let applicationId: string;

beforeAll(async () => {
  api = await startApi({ rateLimits: { management: 0, ingest: 0 } });
  operator = createCaller(api.app, { base: api.base, token: api.managementToken });
  applicationId = (await operator('post', '/applications', { name: 'Customer' })).body.id;
});
afterAll(() => api.stop());

async function tokenWith(scopes: readonly Scope[]): Promise<Caller> {
  const { sessionToken } = await seedPerson(api.db, { workspaceId: api.workspaceId, role: 'admin' });
  const tokens = createCaller(api.app, { base: `/api/workspaces/${api.workspaceId}`, token: sessionToken });
  const { token } = (await tokens('post', '/management-tokens', { name: 'T', scopes })).body;
  return createCaller(api.app, { base: api.base, token });
}

async function personWith(role: Role): Promise<Caller> {
  const { sessionToken } = await seedPerson(api.db, { workspaceId: api.workspaceId, role });
  return createCaller(api.app, { base: `/api/workspaces/${api.workspaceId}`, token: sessionToken });
}

/** The secrets in every answer with an endpoint that the caller can get. */
async function secretsSeenBy(call: Caller): Promise<Set<string>> {
  await api.db.endpoint.deleteMany({ where: { workspaceId: uuidOf('ws', api.workspaceId) } });
  const { id } = (await operator('post', '/endpoints', { url })).body;
  const replies = [
    await call('get', '/endpoints'),
    await call('get', `/endpoints/${id}`),
    await call('post', '/endpoints', { url }),
    await call('post', `/applications/${applicationId}/endpoints`, { url }),
    await call('patch', `/endpoints/${id}`, { description: 'x' }),
    await call('post', `/endpoints/${id}/secret/rotate`, {}),
  ];
  const answered = replies.filter((reply) => reply.status < 300).flatMap((reply) => [reply.body].flat());
  expect(answered.length).toBeGreaterThan(0);
  return new Set(answered.map(({ secret }) => (secret === null ? 'null' : String(secret).slice(0, 6))));
}

test.each<[string, () => Promise<Caller>, string]>([
  ['a viewer', () => personWith('viewer'), 'null'],
  ['a member', () => personWith('member'), 'whsec_'],
  ['an admin', () => personWith('admin'), 'whsec_'],
  ['a token with read alone', () => tokenWith(['read']), 'null'],
  ['a token with read and payloads', () => tokenWith(['read', 'payloads']), 'null'],
  ['a token with write alone', () => tokenWith(['write']), 'whsec_'],
  ['a token with read and keys', () => tokenWith(['read', 'keys']), 'whsec_'],
])('%s is shown an endpoint’s secret in all answers, or null in all', async (_who, caller, expected) => {
  expect([...(await secretsSeenBy(await caller()))]).toEqual([expected]);
});
