import { afterAll, expect, test } from '@jest/globals';
import request from 'supertest';
import { startApi } from '../../test/api-under-test.ts';
import { createCaller } from '../../test/caller.ts';
import { uuidOf } from '../../test/people.ts';
import { runAdmin } from '../run-admin.ts';
import { recordedErasures } from './replay.ts';

const api = await startApi();
afterAll(() => api.stop());

async function admin(args: string[], input = '') {
  let stdout = '';
  let stderr = '';
  const code = await runAdmin(args, {
    environment: { DATABASE_URL: api.databaseUrl },
    readInput: async () => input,
    write: (text) => {
      stdout += text;
    },
    writeError: (text) => {
      stderr += text;
    },
  });
  return { code, stdout, stderr };
}

/** A whole list of these erasures. */
const listOf = (...lines: (string | undefined)[]) => [...lines, `{"erasures":${lines.length}}`].join('\n');

test('erasures list what was erased, and replay erases again what a restored backup brought back', async () => {
  const call = createCaller(api.app, { base: api.base, token: api.managementToken });
  await call('post', '/event-types', { name: 'order.created', publishIn: [api.environmentId] });
  const application = await call('post', '/applications', { name: 'Acme', externalId: 'acme' });
  const send = () =>
    request(api.app)
      .post('/api/ingest/event/order.created')
      .set({ authorization: `Bearer ${api.apiKey}`, 'x-application-id': application.body.id })
      .send({ n: 1 });
  const eventId = uuidOf('msg', (await send()).body.id);
  const before = await api.db.event.findUniqueOrThrow({ where: { id: eventId } });
  expect((await call('delete', `/events/msg_${'0'.repeat(26)}/payload`)).status).toBe(404);
  const publicId = (await call('get', '/events')).body.events[0].id;
  expect((await call('delete', `/events/${publicId}/payload`)).status).toBe(204);
  expect((await call('post', '/erasures', { applicationId: application.body.id })).status).toBe(202);

  const listed = await admin(['erasures', 'list']);
  const lines = listed.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toMatchObject([
    { workspaceId: api.workspaceId, eventId: publicId },
    { workspaceId: api.workspaceId, applicationId: application.body.id, eventTypes: null, from: null, to: null },
    { erasures: 2 },
  ]);

  const applicationId = uuidOf('app', application.body.id);
  await api.db.event.update({ where: { id: eventId }, data: { payload: before.payload } });
  await api.db.application.update({ where: { id: applicationId }, data: { name: 'Acme', deletedAt: null } });
  await api.db.operation.deleteMany();
  const replayed = await admin(['erasures', 'replay'], listed.stdout);
  expect(JSON.parse(replayed.stdout)).toEqual({ erased: 1, started: 1, nothingLeft: 0 });
  expect(await api.db.event.findUnique({ where: { id: eventId } })).toMatchObject({ payload: null });
  const erased = await api.db.application.findUniqueOrThrow({ where: { id: applicationId } });
  expect(erased).toMatchObject({ name: 'Erased', externalId: null, deletedAt: expect.any(Date) });
  expect(await api.db.operation.findMany()).toMatchObject([{ type: 'erasure', status: 'counting' }]);

  expect(JSON.parse((await admin(['erasures', 'replay'], listOf(JSON.stringify(lines[0])))).stdout)).toEqual({
    erased: 0,
    started: 0,
    nothingLeft: 1,
  });
  expect(await admin(['erasures', 'replay'], listOf('nonsense'))).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('line 1 is not an erasure'),
  });
});

test('erasures are listed in parts of the audit log, and none at their borders is left out', async () => {
  const entries = await api.db.auditEntry.count();
  const listed = async (entriesInPart?: number) => {
    const erasures = [];
    for await (const erasure of recordedErasures(api.db, entriesInPart)) erasures.push(erasure);
    return erasures;
  };
  const whole = await listed();
  expect(whole.length).toBeGreaterThan(1);
  for (const size of [1, 2, entries]) expect(await listed(size)).toEqual(whole);
});

test('a replay without a list on standard input, or with a part of one, is refused, because something would not be erased', async () => {
  expect(await admin(['erasures', 'replay'], '\n')).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('needs the lines of erasures list on standard input'),
  });
  const line = JSON.stringify({ workspaceId: api.workspaceId, eventId: 'msg_1', at: new Date().toISOString() });
  for (const cutOff of [line, `${line}\n{"erasures":2}`, '{"erasures":1}']) {
    const { code, stderr } = await admin(['erasures', 'replay'], cutOff);
    expect([code, stderr]).toEqual([2, expect.stringContaining('the list is not whole')]);
  }
  const none = await admin(['erasures', 'replay'], '{"erasures":0}\n');
  expect([none.code, JSON.parse(none.stdout)]).toEqual([0, { erased: 0, started: 0, nothingLeft: 0 }]);
});

test('a replay is itself in the list, so another restore of the backup is erased again, and no later event with it', async () => {
  const call = createCaller(api.app, { base: api.base, token: api.managementToken });
  await call('post', '/event-types', { name: 'bill.created', publishIn: [api.environmentId] });
  const application = await call('post', '/applications', { name: 'Bills' });
  const sent = await request(api.app)
    .post('/api/ingest/event/bill.created')
    .set({ authorization: `Bearer ${api.apiKey}` })
    .send({ n: 1 });
  const { id } = sent.body;
  const where = { id: uuidOf('msg', id) };
  const { payload } = await api.db.event.findUniqueOrThrow({ where });
  await call('delete', `/events/${id}/payload`);
  await call('post', '/erasures', { applicationId: application.body.id, eventTypes: ['bill.created'] });
  const list = async () =>
    (await admin(['erasures', 'list'])).stdout
      .split('\n')
      .filter((line) => line.includes(id) || line.includes(application.body.id));
  const lines = await list();
  const { at } = JSON.parse(lines.at(-1) ?? '');

  // Like a backup from before the erasures, the database has neither entry.
  await api.db.event.update({ where, data: { payload } });
  await api.db.$executeRaw`alter table audit_entry disable trigger user`;
  await api.db.auditEntry.deleteMany({ where: { workspaceId: uuidOf('ws', api.workspaceId) } });
  await api.db.$executeRaw`alter table audit_entry enable trigger user`;
  await admin(['erasures', 'replay'], listOf(...lines));
  const again = (await list()).map((line) => JSON.parse(line));
  expect(again).toMatchObject([
    { eventId: id },
    { applicationId: application.body.id, eventTypes: ['bill.created'], to: at },
  ]);
  // A payload whose entry is there gets no second one.
  await admin(['erasures', 'replay'], listOf(JSON.stringify(again[0])));
  expect(await list()).toHaveLength(2);
});

test('a replay also forgets the kept answer that repeats what it erases', async () => {
  const call = createCaller(api.app, { base: api.base, token: api.managementToken });
  await call('post', '/event-types', { name: 'note.created', publishIn: [api.environmentId] });
  const sent = await request(api.app)
    .post('/api/ingest/event/note.created')
    .set({ authorization: `Bearer ${api.apiKey}` })
    .send({ n: 1 });
  const { id } = sent.body;
  await api.db.event.update({ where: { id: uuidOf('msg', id) }, data: { schemaErrors: ['n: must be a text'] } });
  const workspaceId = uuidOf('ws', api.workspaceId);
  const expiresAt = new Date(Date.now() + 60_000);
  const kept = { requestHash: Buffer.from('x'), workspaceId, answer: JSON.stringify({ id }), expiresAt };
  await api.db.idempotentAnswer.create({ data: { digest: Buffer.from('cancelled'), ...kept } });
  const erasure = { workspaceId: api.workspaceId, eventId: id, at: new Date().toISOString() };
  const { stdout } = await admin(['erasures', 'replay'], listOf(JSON.stringify(erasure)));
  expect(JSON.parse(stdout)).toMatchObject({ erased: 1 });
  expect(await api.db.idempotentAnswer.count({ where: { workspaceId } })).toBe(0);
});
