import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { testRedis } from '@posthorn/testkit/database';
import { askRedis } from '@posthorn/testkit/redis-place';
import { waitFor } from '@posthorn/testkit/wait-for';
import { createProbes } from './probes.ts';

// A test for Redis only. packages/queue/contract tests the promises of all probes.

test('what a Redis whose clock was set back has kept from later stops no probe', async () => {
  const place = { ...testRedis(), onError: () => {} };
  const probes = createProbes(place);
  const [workspaceId, ownerId, dayAhead] = [randomUUID(), randomUUID(), 86_400_000];
  const ofWorkspace = `${place.prefix}:probes:{${ownerId}}:${workspaceId}`;
  for (const n of [1, 2, 3]) await askRedis(place.redisUrl, 'ZADD', ofWorkspace, Date.now() + dayAhead, `held-${n}`);
  await askRedis(place.redisUrl, 'SET', `${ofWorkspace}:test:endpoint:pause`, 1, 'PX', dayAhead);
  const most = { mostOfEndpoint: 2, mostOfWorkspace: 3, mostOfOwner: 4, forgottenAfterMs: 60_000, pauseMs: 10_000 };
  const asked = { kind: 'test', endpointId: 'endpoint', workspaceId, ownerId, ...most } as const;
  expect(await waitFor(() => probes.admit(asked), { what: 'Redis' })).toMatchObject({ kind: 'admitted' });
  await probes.close();
});
