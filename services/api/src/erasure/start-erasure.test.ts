import { afterAll, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import { withConnection } from '@posthorn/db/connection';
import { ensurePartitions } from '@posthorn/db/partitions';
import { lowestKeyAt } from '@posthorn/db/uuid-range';
import { startApi } from '../../test/api-under-test.ts';
import { codeOf, createCaller } from '../../test/caller.ts';
import { seedPerson, uuidOf } from '../../test/people.ts';

const api = await startApi();
afterAll(() => api.stop());

const HOUR = 3_600_000;
const at = (hoursAgo: number) => new Date(Date.now() - hoursAgo * HOUR);

test('an erasure also takes events that no list shows any more, because their rows still name the customer', async () => {
  const call = createCaller(api.app, { base: api.base, token: api.managementToken });
  await withConnection(api.databaseUrl, (connection) => ensurePartitions(connection, at(240)));
  const applicationId = (await call('post', '/applications', { name: 'Ann' })).body.id;
  const place = { workspaceId: uuidOf('ws', api.workspaceId), environmentId: uuidOf('env', api.environmentId) };
  for (const hoursAgo of [1, 30, 170]) {
    const id = lowestKeyAt(at(hoursAgo)).slice(0, 14) + newUuid(new Date()).slice(14);
    const event = { id, ...place, applicationId: uuidOf('app', applicationId), eventType: 'order.created' };
    await api.db.event.create({ data: { ...event, payloadSize: 0, published: true, idempotencyKey: 'ann' } });
  }
  expect((await call('patch', '', { retentionHours: 24 })).status).toBe(200);
  const count = (range: object) => call('post', '/erasures', { applicationId, dryRun: true, ...range });
  expect((await count({})).body.matched).toBe(3);
  expect((await count({ to: at(100).toISOString() })).body.matched).toBe(1);
  expect((await count({ from: at(100).toISOString() })).body.matched).toBe(2);
  expect(codeOf(await count({ from: at(1).toISOString(), to: at(2).toISOString() }))).toBe('validation_error');
  expect(codeOf(await count({ to: '1970-01-01T00:00:00Z' }))).toBe('validation_error');
});

test('a kept answer to a document that names the customer is forgotten, whatever texts it has', async () => {
  const call = createCaller(api.app, { base: api.base, token: api.managementToken });
  const applications = [{ externalId: 'a\\b', name: 'Bob', metadata: { note: 'a\u0000b \\u0000 \\\u0000' } }];
  const document = { version: 1, applications };
  expect((await call('post', '/apply', { document }).set('idempotency-key', 'bob')).status).toBe(200);
  const { id } = (await call('get', '/applications?external_id=a%5Cb')).body.applications[0];
  const kept = () => api.db.idempotentAnswer.count({ where: { answer: { startsWith: '{"changes":[' } } });
  expect(await kept()).toBe(1);
  expect((await call('post', '/erasures', { applicationId: id })).status).toBe(202);
  expect(await kept()).toBe(0);
});

test('an erasure is paused, resumed and cancelled by those who may start one, and other operations by every member', async () => {
  const call = createCaller(api.app, { base: api.base, token: api.managementToken });
  const applicationId = (await call('post', '/applications', { name: 'Cy' })).body.id;
  const erasure = (await call('post', '/erasures', { applicationId, eventTypes: ['order.created'] })).body.id;
  const bulk = (await call('post', '/deliveries/cancel', { filter: { applicationId } })).body.id;
  const stepsOf = async (role: 'member' | 'admin', id: string) => {
    const { sessionToken: token } = await seedPerson(api.db, { workspaceId: api.workspaceId, role });
    const person = createCaller(api.app, { base: `/api/workspaces/${api.workspaceId}`, token });
    const codes = [];
    for (const step of ['pause', 'resume', 'cancel'])
      codes.push(codeOf(await person('post', `/operations/${id}/${step}`)));
    return codes;
  };
  expect(await stepsOf('member', erasure)).toEqual(['forbidden', 'forbidden', 'forbidden']);
  expect(await stepsOf('member', bulk)).toEqual([200, 200, 200]);
  expect(await stepsOf('admin', erasure)).toEqual([200, 200, 200]);
});
