import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { toId } from '@posthorn/contract/ids';
import { inTransaction } from '@posthorn/db/transaction';
import { erasePayloads } from '@posthorn/ledger/erase';
import type { SeededWorkspace } from '@posthorn/testkit/seed';
import { waitFor } from '@posthorn/testkit/wait-for';
import request from 'supertest';
import { startApi } from '../../test/api-under-test.ts';
import { type Caller, codeOf, managementCaller } from '../../test/caller.ts';
import { uuidOf } from '../../test/people.ts';

const api = await startApi({ rateLimits: { management: 0, ingest: 0 } });
afterAll(() => api.stop());

let workspace: SeededWorkspace;
let call: Caller;
beforeEach(async () => {
  workspace = await api.seedAnother();
  call = managementCaller(api.app, workspace);
});

const KEYS = [
  { name: 'order_id', path: 'order.id' },
  { name: 'email', path: 'email', fold: true },
];
const createType = async (given: object = { searchKeys: KEYS }) =>
  (await call('post', '/event-types', { name: 'order.created', publishIn: [workspace.environmentId], ...given })).body;

/** Sends an event, and returns its key and its tokens. */
async function send(body: unknown, headers: Record<string, string> = {}) {
  const reply = await request(api.app)
    .post('/api/ingest/event/order.created')
    .set({ authorization: `Bearer ${workspace.apiKey}`, 'content-type': 'application/json', ...headers })
    .send(typeof body === 'string' ? body : JSON.stringify(body));
  expect([reply.status, reply.body.error]).toEqual([202, undefined]);
  const eventId = uuidOf('msg', reply.body.id);
  return { eventId, tokens: await tokensOf(eventId), event: (await call('get', `/events/${reply.body.id}`)).body };
}

const tokensOf = async (eventId: string) =>
  (await api.db.eventToken.findMany({ where: { eventId } })).map(({ token }) => token).sort();

test('search keys are stored, shown with their defaults, changed and cleared, and audited', async () => {
  const made = await createType();
  const shown = [
    { name: 'order_id', path: 'order.id', fold: false },
    { name: 'email', path: 'email', fold: true },
  ];
  expect(made.searchKeys).toEqual(shown);
  const path = `/event-types/${made.id}`;
  const [first] = shown;
  expect((await call('patch', path, { searchKeys: [KEYS[0]] })).body.searchKeys).toEqual([first]);
  expect((await call('patch', path, { description: 'x' })).body.searchKeys).toEqual([first]);
  expect((await call('patch', path, { searchKeys: null })).body.searchKeys).toBeNull();
  const where = { workspaceId: uuidOf('ws', workspace.workspaceId), action: 'event_type.updated' };
  const entries = await api.db.auditEntry.findMany({ where, orderBy: { id: 'asc' } });
  const changes = entries.map(({ metadata }) => (metadata as { changes: Record<string, unknown> }).changes.searchKeys);
  expect(changes).toEqual([{ from: shown, to: [first] }, undefined, { from: [first], to: null }]);
});

test.each([
  ['no key', [], 'searchKeys must have 1 to 8 items'],
  ['a ninth key', Array.from({ length: 9 }, (_, n) => ({ name: `k${n}`, path: 'a' })), 'searchKeys must have 1 to 8'],
  ['a name twice', [KEYS[0], KEYS[0]], 'searchKeys must not have a name twice'],
  ['a name in upper case', [{ name: 'Order', path: 'a' }], 'searchKeys[0].name must be 1 to 32 lowercase letters'],
  ['an empty path', [{ name: 'order', path: '' }], 'searchKeys[0].path must be 1 to 256 characters'],
  ['a key without a path', [{ name: 'order' }], 'searchKeys[0].path is required'],
])('%s is refused, and the message names the field', async (_, searchKeys, message) => {
  const reply = await call('post', '/event-types', { name: 'order.created', searchKeys });
  expect([codeOf(reply), reply.body.error.message]).toEqual(['validation_error', expect.stringContaining(message)]);
});

test('the tokens of an event are stored with it, and no value is; equal values of two workspaces have different tokens', async () => {
  await createType();
  const { tokens } = await send({ order: { id: 'order_1002' }, email: 'Ann@Example.com' });
  expect(tokens).toHaveLength(2);
  expect((await send({ order: { id: 'order_1002' }, email: 'ann@example.com' })).tokens).toEqual(tokens);
  workspace = await api.seedAnother();
  call = managementCaller(api.app, workspace);
  await createType();
  const other = await send({ order: { id: 'order_1002' }, email: 'ann@example.com' });
  expect(other.tokens).toHaveLength(2);
  expect(other.tokens.some((token) => tokens.includes(token))).toBe(false);
});

test('a scheduled event and the events of a batch have tokens; an event of a type without search keys, and one that is not JSON, have none', async () => {
  const made = await createType();
  const later = new Date(Date.now() + 3_600_000).toISOString();
  expect((await send({ order: { id: 1 } }, { 'x-deliver-at': later })).tokens).toHaveLength(1);
  const batch = await request(api.app)
    .post('/api/ingest/batch')
    .set({ authorization: `Bearer ${workspace.apiKey}`, 'content-type': 'application/json' })
    .send({ events: [1, 2].map((id) => ({ eventType: 'order.created', data: { order: { id } } })) });
  for (const { id } of batch.body.results) expect(await tokensOf(uuidOf('msg', id))).toHaveLength(1);
  expect((await send('a text', { 'content-type': 'text/plain' })).tokens).toEqual([]);
  await call('patch', `/event-types/${made.id}`, { searchKeys: null });
  workspace = await api.seedAnother();
  call = managementCaller(api.app, workspace);
  await createType({});
  expect((await send({ order: { id: 1 } })).tokens).toEqual([]);
});

test('an event whose payload is too large has no tokens and is not searchable; the trace tells what was left out of an array', async () => {
  await createType();
  const large = await send({ order: { id: 1 }, filler: 'x'.repeat(16 * 1024) });
  expect([large.tokens, large.event.searchable]).toEqual([[], false]);
  const many = await send({ order: { id: Array.from({ length: 20 }, (_, n) => n) } });
  expect([many.tokens.length, many.event.searchable]).toEqual([16, true]);
  const trace = await call('get', `/events/${many.event.id}/trace`);
  expect(trace.body.searchKeys).toEqual({ stored: 16, leftOut: 4 });
  expect((await call('get', `/events/${large.event.id}/trace`)).body.searchKeys).toBeNull();
});

test('the tokens go in the transaction that erases the payload, also those that it did not see at its beginning', async () => {
  await createType();
  const { eventId } = await send({ order: { id: 'order_1' } });
  const kept = await send({ order: { id: 'order_1' } });
  let erased: Promise<unknown> | undefined;
  // Another transaction holds the row of the event, and adds a token to it while the erasure waits.
  await inTransaction(api.db, async (transaction) => {
    await transaction.$queryRaw`select 1 from event where id = ${eventId}::uuid for share`;
    erased = inTransaction(api.db, (erasing) => erasePayloads(erasing, [eventId]));
    await waitsForLock();
    await transaction.eventToken.create({ data: { token: 7n, eventId } });
  });
  await erased;
  expect(await tokensOf(eventId)).toEqual([]);
  expect(await tokensOf(kept.eventId)).toEqual(kept.tokens);
  expect((await call('get', `/events/${toId('msg', eventId)}/trace`)).body.searchKeys).toBeNull();
});

async function waitsForLock(): Promise<void> {
  const waiting = () => api.db.$queryRaw<unknown[]>`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await waitFor(async () => (await waiting()).length > 0, { what: 'a statement that waits for a lock' });
}
