import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import type { SeededWorkspace } from '@posthorn/testkit/seed';
import { startApi } from '../../test/api-under-test.ts';
import { type Caller, codeOf, managementCaller } from '../../test/caller.ts';
import { uuidOf } from '../../test/people.ts';

const MAX_ENDPOINTS = 22;
const url = 'https://127.0.0.1/';

const api = await startApi({ maxEndpointsPerWorkspace: MAX_ENDPOINTS, rateLimits: { management: 0, ingest: 0 } });
afterAll(() => api.stop());

let workspace: SeededWorkspace;
let call: Caller;
let staging: string;
beforeEach(async () => {
  workspace = await api.seedAnother();
  call = managementCaller(api.app, workspace);
  staging = (await call('post', '/environments', { name: 'Staging', slug: 'staging' })).body.id;
});

const promote = (endpoints: object[], prune = false) =>
  call('post', `/environments/${workspace.environmentId}/promote/${staging}`, { endpoints, prune });

/** Fills the target environment, so that the workspace has this many endpoints. */
async function fillUp(count: number, type: string) {
  const place = { workspaceId: uuidOf('ws', workspace.workspaceId), environmentId: uuidOf('env', staging) };
  const have = await api.db.endpoint.count({ where: { workspaceId: place.workspaceId, deletedAt: null } });
  await api.db.endpoint.createMany({
    data: Array.from({ length: count - have }, () => ({ id: newUuid(new Date()), ...place, url, type })),
  });
}

test.each([
  ['endpoints', { url }, 'webhook'],
  ['playgrounds', { type: 'playground' }, 'playground'],
])('at the limit of %s, a promotion that creates one and deletes one is made', async (_what, body, type) => {
  const given = 'url' in body ? { url } : {};
  const former = (await call('post', '/endpoints', body)).body.id;
  expect((await promote([{ endpointId: former, ...given }])).status).toBe(200);
  await call('delete', `/endpoints/${former}`);
  const next = (await call('post', '/endpoints', body)).body.id;
  // For playgrounds: one here, and 20 in the target environment.
  await fillUp(type === 'playground' ? 21 : MAX_ENDPOINTS, type);
  expect(codeOf(await promote([{ endpointId: next, ...given }]))).toBe('limit_reached');
  const { body: made, status } = await promote([{ endpointId: next, ...given }, { endpointId: former }], true);
  expect([status, made.applied?.endpoints.map(({ change }: { change: string }) => change).sort()]).toEqual([
    200,
    ['create', 'delete'],
  ]);
});
