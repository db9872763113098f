import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import { inTransaction } from '@posthorn/db/transaction';
import type { SeededWorkspace } from '@posthorn/testkit/seed';
import { waitFor } from '@posthorn/testkit/wait-for';
import { startApi } from '../../test/api-under-test.ts';
import { type Caller, codeOf, managementCaller, tally } from '../../test/caller.ts';
import { uuidOf } from '../../test/people.ts';
import { checkChangedType } from './agents-of-type.ts';

const api = await startApi({ rateLimits: { management: 0, ingest: 0 } });
afterAll(() => api.stop());

let workspace: SeededWorkspace;
let call: Caller;
beforeEach(async () => {
  workspace = await api.seedAnother();
  call = managementCaller(api.app, workspace);
});

const create = async (name: string) => (await call('post', '/event-types', { name, description: 'First' })).body;
const endpoint = async () => (await call('post', '/endpoints', { url: 'https://127.0.0.1/' })).body.id;
const actions = async () => {
  const where = { workspaceId: uuidOf('ws', workspace.workspaceId) };
  return (await api.db.auditEntry.findMany({ where, orderBy: { id: 'asc' } })).map(({ action }) => action);
};

test('a change tells how many of thousands of agents it breaks, reads them in pages, and ends only these', async () => {
  const text = { type: 'string' };
  const schema = { type: 'object', properties: { country: text, note: text } };
  const made = (await call('post', '/event-types', { name: 'order.created', schema })).body;
  const eventTypeId = uuidOf('evt', made.id);
  const [workspaceId, environmentId] = [uuidOf('ws', workspace.workspaceId), uuidOf('env', workspace.environmentId)];
  await api.db.$executeRaw`
    insert into agent_subscription (endpoint_id, workspace_id, environment_id, identity, principal, event_type_id,
      event_type, arguments, url, dialect, expires_at)
    select gen_random_uuid(), ${workspaceId}::uuid, ${environmentId}::uuid, 'mcs_' || n, 'key:1', ${eventTypeId}::uuid,
      'order.created', json_build_object(case when n % 5 = 0 then 'country' else 'note' end, 'x'),
      'https://agent.test/', 'sketch', now() + interval '1 hour'
    from generate_series(1, 2500) n`;
  const pages: number[] = [];
  const watched = {
    async $queryRaw(...given: Parameters<typeof api.db.$queryRaw>) {
      const rows = await api.db.$queryRaw<unknown[]>(...given);
      pages.push(rows.length);
      return rows;
    },
  } as unknown as typeof api.db;
  const told = '500 subscriptions of agents would end; endAgents=true ends them';
  const type = { schema, agentFilters: ['note'] };
  await expect(checkChangedType(watched, { eventTypeId, changes: [], type, endAgents: false })).rejects.toThrow(told);
  expect(pages).toEqual([1_000, 1_000, 500]);
  const change = (query: string) => call('patch', `/event-types/${made.id}${query}`, { agentFilters: ['note'] });
  expect((await change('')).body.error).toMatchObject({ code: 'agents_subscribed', message: told });
  expect((await change('?endAgents=true')).status).toBe(200);
  const live = await api.db.agentSubscription.findMany({ where: { eventTypeId, endedAt: null } });
  expect([live.length, live.every(({ arguments: given }) => 'note' in (given as object))]).toEqual([2_000, true]);
});

describe('updating', () => {
  test('the description changes, null clears it, and no-ops leave no audit entry', async () => {
    const made = await create('order.created');
    const path = `/event-types/${made.id}`;
    expect((await call('get', path)).body).toEqual(made);
    expect((await call('patch', path, { description: 'Second' })).body).toEqual({ ...made, description: 'Second' });
    expect((await call('patch', path, { description: null })).body).toEqual({ ...made, description: null });
    for (const body of [undefined, {}, { description: null }, { name: 'order.created' }]) {
      expect((await call('patch', path, body)).body).toEqual({ ...made, description: null });
    }
    expect(await actions()).toEqual(['event_type.created', 'event_type.updated', 'event_type.updated']);
  });

  test.each([
    { name: 'other.name' },
    { name: 'order.changed' },
    { name: null },
    { description: 1 },
    { description: 'x'.repeat(1_001) },
    { description: 'a\u0000' },
    { schema: { type: 'text' } },
  ])('%j is refused', async (body) => {
    const made = await create('order.created');
    expect(codeOf(await call('patch', `/event-types/${made.id}`, body))).toBe('validation_error');
    expect((await call('get', `/event-types/${made.id}`)).body).toEqual(made);
  });
});

describe('the example', () => {
  test.each<[string, unknown]>([
    ['an object, in its order', { total: 1, lines: [{ z: 1, a: null }] }],
    ['a text of any characters', 'a\u0000b 😀'],
    ['an empty list', []],
    ['0', 0],
    ['false', false],
    ['the largest', 'x'.repeat(65_534)],
  ])('%s is kept as it is, and null clears it', async (_, example) => {
    const reply = await call('post', '/event-types', { name: 'order.created', example });
    expect([reply.status, reply.body.error]).toEqual([201, undefined]);
    const made = reply.body;
    const path = `/event-types/${made.id}`;
    expect(JSON.stringify(made.example)).toBe(JSON.stringify(example));
    expect(JSON.stringify((await call('get', path)).body.example)).toBe(JSON.stringify(example));
    await call('patch', path, { example });
    expect(await actions()).toEqual(['event_type.created']);
    expect((await call('patch', path, { description: 'Other' })).body.example).toEqual(example);
    expect((await call('patch', path, { example: null })).body.example).toBeNull();
    expect((await call('patch', path, { example: { n: 2 } })).body.example).toEqual({ n: 2 });
    expect((await call('get', '/event-types')).body[0].example).toEqual({ n: 2 });
  });

  test.each([
    ['over 64 KiB', JSON.stringify({ example: 'x'.repeat(65_535) })],
    ['over 64 KiB in UTF-8', JSON.stringify({ example: 'é'.repeat(32_768) })],
    ['of 102 levels', `{"example":${'['.repeat(102)}${']'.repeat(102)}}`],
    ['half a surrogate pair', '{"example":{"a":["\\ud800"]}}'],
    ['half a surrogate pair in a name', '{"example":{"\\ud800":1}}'],
    ['of 100,000 levels', `{"example":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  ])('%s is refused', async (_, body) => {
    const made = await create('order.created');
    expect(codeOf(await call('patch', `/event-types/${made.id}`, body))).toBe('validation_error');
    expect((await call('get', `/event-types/${made.id}`)).body).toEqual(made);
  });

  test('of any size leaves an audit entry of a few bytes', async () => {
    const made = (await call('post', '/event-types', { name: 'order.created', example: 'x'.repeat(60_000) })).body;
    await call('patch', `/event-types/${made.id}`, { example: ['y'.repeat(60_000)] });
    for (const { metadata } of await api.db.auditEntry.findMany()) {
      expect(JSON.stringify(metadata).length).toBeLessThan(1_000);
    }
  });
});

describe('deleting', () => {
  test('it is refused while an endpoint subscribes, also an inactive one, and deleted afterwards', async () => {
    const made = await create('order.created');
    await call('put', `/environments/${workspace.environmentId}/event-types/${made.id}/visibility`, {
      published: true,
    });
    const subscriber = await endpoint();
    await call('post', `/endpoints/${subscriber}/subscriptions`, { eventTypeIds: [made.id] });
    expect(codeOf(await call('delete', `/event-types/${made.id}`))).toBe('event_type_in_use');
    await call('patch', `/endpoints/${subscriber}`, { isActive: false });
    expect(codeOf(await call('delete', `/event-types/${made.id}`))).toBe('event_type_in_use');
    await call('delete', `/endpoints/${subscriber}/subscriptions/${made.id}`);
    const reply = await call('delete', `/event-types/${made.id}`);
    expect([reply.status, reply.text]).toEqual([204, '']);
    expect((await call('get', `/event-types/${made.id}`)).status).toBe(404);
    expect((await call('get', `/environments/${workspace.environmentId}/event-types`)).body).toEqual([]);
    expect((await call('delete', `/event-types/${made.id}`)).status).toBe(404);
    expect((await call('post', '/event-types', { name: 'order.created' })).status).toBe(201);
  });

  test('the audit entry has the number of what patterns subscribed and where it was published', async () => {
    await call('post', '/endpoints', { url: 'https://127.0.0.1/', eventTypes: ['order.*'] });
    const made = (await call('post', '/event-types', { name: 'order.created', publishIn: [workspace.environmentId] }))
      .body;
    expect((await call('delete', `/event-types/${made.id}`)).status).toBe(204);
    const { body } = await call('get', '/audit-logs?action=event_type.deleted');
    expect(body.data[0].metadata.changes).toMatchObject({
      subscriptions: { from: 1, to: 0 },
      publications: { from: 1, to: 0 },
    });
  });

  test('subscriptions of a deleted endpoint do not prevent it', async () => {
    const made = await create('order.created');
    const subscriber = await endpoint();
    await call('delete', `/endpoints/${subscriber}`);
    const left = { endpointId: uuidOf('ep', subscriber), eventTypeId: uuidOf('evt', made.id) };
    await api.db.subscription.create({ data: { id: newUuid(new Date()), ...left } });
    expect((await call('delete', `/event-types/${made.id}`)).status).toBe(204);
  });

  test('a concurrent subscription either prevents the deletion or finds the type missing', async () => {
    const made = await create('order.created');
    const subscribers = await Promise.all([1, 2, 3, 4, 5, 6].map(endpoint));
    const replies = await Promise.all([
      ...subscribers.map((id) => call('post', `/endpoints/${id}/subscriptions`, { eventTypeIds: [made.id] })),
      call('delete', `/event-types/${made.id}`),
    ]);
    const outcomes = replies.map(codeOf);
    const deleted = outcomes.at(-1) === 204;
    expect(['event_type_in_use', 204]).toContain(outcomes.at(-1));
    expect(outcomes.slice(0, -1).every((outcome) => outcome === 200 || (deleted && outcome === 'not_found'))).toBe(
      true,
    );
    expect((await call('get', `/event-types/${made.id}`)).status).toBe(deleted ? 404 : 200);
  });

  test('a type that is deleted while it is being published is not found', async () => {
    const { id } = await create('order.created');
    const path = `/environments/${workspace.environmentId}/event-types/${id}/visibility`;
    const isWaiting = async () => {
      const rows = await api.db.$queryRaw<unknown[]>`
        select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
      return rows.length > 0;
    };
    const { published } = await inTransaction(api.db, async (deleting) => {
      await deleting.eventType.delete({ where: { id: uuidOf('evt', id) } });
      const reply = call('put', path, { published: true }).then(codeOf);
      await waitFor(isWaiting, { what: 'the publication to wait for the deletion' });
      // An object, so that the deletion is committed before the reply is awaited.
      return { published: reply };
    });
    expect(await published).toBe('not_found');
    expect(await actions()).toEqual(['event_type.created']);
  });
});

// Few enough that a slow machine makes them all within the 5 s for which a change waits for its turn.
describe('many at once', () => {
  test('of 20 with one name one succeeds', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => call('post', '/event-types', { name: 'a.b' })));
    expect(tally(replies.map(codeOf))).toEqual({ 201: 1, event_type_exists: 19 });
  });

  test('of 20 that subscribe to the same type one counts it', async () => {
    const [made, subscriber] = [await create('order.created'), await endpoint()];
    const body = { eventTypeIds: [made.id, made.id] };
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => call('post', `/endpoints/${subscriber}/subscriptions`, body)),
    );
    expect(tally(replies.map(codeOf))).toEqual({ 200: 20 });
    expect(tally(replies.map((reply) => reply.body.subscribed))).toEqual({ 0: 19, 1: 1 });
    expect((await actions()).filter((action) => action === 'subscription.created')).toHaveLength(1);
  });
});

test('the 1,001st event type is refused', async () => {
  const workspaceId = uuidOf('ws', workspace.workspaceId);
  const rows = Array.from({ length: 999 }, (_, n) => ({ id: newUuid(new Date()), workspaceId, name: `type.n${n}` }));
  await api.db.eventType.createMany({ data: rows });
  expect(codeOf(await call('post', '/event-types', { name: 'last.one' }))).toBe(201);
  expect(codeOf(await call('post', '/event-types', { name: 'one.more' }))).toBe('limit_reached');
});
