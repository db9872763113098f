import { afterAll, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import { startApi } from '../../test/api-under-test.ts';
import { managementCaller } from '../../test/caller.ts';
import { uuidOf } from '../../test/people.ts';

const api = await startApi({ rateLimits: { management: 0, ingest: 0 } });
afterAll(() => api.stop());

const config = { brokers: ['127.0.0.1'], topics: ['orders'], eventType: { fixed: 'a.b' } };

async function makeSource() {
  const workspace = await api.seedAnother();
  const call = managementCaller(api.app, workspace);
  const { id } = (await call('post', '/sources', { name: 'Orders', isActive: false, config })).body;
  return { call, id, sourceId: uuidOf('src', id), workspaceId: uuidOf('ws', workspace.workspaceId) };
}

test('a seek takes the partitions that Kafka has, up to 2,147,483,647, and refuses any other', async () => {
  const { call, id, sourceId } = await makeSource();
  const last = 2_147_483_647;
  await api.db.sourcePlace.create({ data: { sourceId, topic: 'orders', partition: last, nextOffset: 0n } });
  const seek = (partition: number) => call('post', `/sources/${id}/seek`, { topic: 'orders', partition, offset: 7 });
  expect((await seek(last)).status).toBe(200);
  expect(await api.db.sourcePlace.findMany({ where: { sourceId } })).toMatchObject([{ nextOffset: 7n }]);
  for (const partition of [last + 1, Number.MAX_SAFE_INTEGER, -1, 0.5]) {
    const { status, body } = await seek(partition);
    expect([status, body.error.message]).toEqual([400, 'partition must be a whole number from 0 to 2,147,483,647']);
  }
});

test('rejections are listed for the retention of the workspace, and no longer', async () => {
  const { call, id, sourceId, workspaceId } = await makeSource();
  const record = { sourceId, topic: 'orders', partition: 0, reason: 'not_found', message: 'gone', size: 2 };
  const keep = (recordOffset: bigint, hoursAgo: number) => {
    const at = new Date(Date.now() - hoursAgo * 3_600_000);
    return api.db.sourceRejection.create({ data: { ...record, recordOffset, id: newUuid(at), at } });
  };
  for (const [offset, hoursAgo] of [3, 2, 0.9, 0.1].entries()) await keep(BigInt(offset), hoursAgo);
  const offsets = async (query = '') => {
    const { rejections, nextCursor } = (await call('get', `/sources/${id}/rejections${query}`)).body;
    return [rejections.map(({ offset }: { offset: number }) => offset), nextCursor];
  };
  expect(await offsets()).toEqual([[3, 2, 1, 0], null]);
  await api.db.workspace.update({ where: { id: workspaceId }, data: { retentionHours: 1 } });
  expect(await offsets()).toEqual([[3, 2], null]);
  const [first, cursor] = await offsets('?limit=1');
  expect([first, await offsets(`?limit=1&cursor=${cursor}`)]).toEqual([[3], [[2], null]]);
});
