import { afterAll, expect, test } from '@jest/globals';
import request from 'supertest';
import { startApi } from '../../test/api-under-test.ts';
import { managementCaller } from '../../test/caller.ts';
import { takeProbes } from '../../test/probe-stand-in.ts';

const api = await startApi({ rateLimits: { management: 0, ingest: 0 } });
const dispatcher = takeProbes(api);
afterAll(async () => {
  await dispatcher.close();
  await api.stop();
});

test('a test under an Idempotency-Key is made once, and answered again; another one must wait', async () => {
  const workspace = await api.seedAnother();
  const call = managementCaller(api.app, workspace);
  const config = { brokers: ['127.0.0.1'], topics: ['orders'], eventType: { fixed: 'a.b' } };
  const { id } = (await call('post', '/sources', { name: 'Orders', isActive: false, config })).body;
  const ask = (key: string) =>
    request(api.app)
      .post(`/management/v1/workspaces/${workspace.workspaceId}/sources/${id}/test`)
      .set('authorization', `Bearer ${workspace.managementToken}`)
      .set('idempotency-key', key);
  const first = await ask('one');
  expect([first.status, first.body.outcome]).toEqual([200, 'success']);
  const again = await ask('one');
  expect([again.status, again.body, again.headers['idempotent-replayed']]).toEqual([200, first.body, 'true']);
  expect(dispatcher.jobs).toHaveLength(1);
  const other = await ask('other');
  expect([other.status, other.body.error.message]).toEqual([429, 'A source may be tested once in 5 seconds']);
});
