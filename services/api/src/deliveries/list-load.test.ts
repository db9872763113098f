import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { toId } from '@posthorn/contract/ids';
import { withConnection } from '@posthorn/db/connection';
import { inTransaction } from '@posthorn/db/transaction';
import { lowestKeyAt } from '@posthorn/db/uuid-range';
import { waitFor } from '@posthorn/testkit/wait-for';
import request from 'supertest';
import { startApi } from '../../test/api-under-test.ts';
import { type Caller, codeOf, createCaller, managementCaller, tally } from '../../test/caller.ts';
import { seedPortal, uuidOf } from '../../test/people.ts';

const api = await startApi({ rateLimits: { management: 0, ingest: 0 } });
afterAll(() => api.stop());

let call: Caller;
beforeEach(async () => {
  call = createCaller(api.app, { base: api.base, token: api.managementToken });
});

const LISTS = 10;

/** Runs `work` while another session holds the locks of `statement`. */
function whileHeld(statement: string, work: (release: () => Promise<unknown>) => Promise<void>) {
  return withConnection(api.databaseUrl, async (connection) => {
    await connection.query('begin');
    await connection.query(statement);
    await work(() => connection.query('rollback'));
  });
}

test('a page of a rare event type or environment reads a few rows, however many others there are', async () => {
  const staging = (await call('post', '/environments', { name: 'Staging', slug: 'staging' })).body.id;
  const key = lowestKeyAt(new Date(Date.now() - 60_000)).slice(0, 14);
  // The rare ones are the oldest: a list ordered by time alone reads all the others first.
  await api.db.$executeRaw`
    insert into delivery (id, event_id, endpoint_id, workspace_id, environment_id, event_type, status, updated_at)
    select (${key} || '7' || lpad(to_hex(n), 3, '0') || '-8' || lpad(to_hex(n), 15, '0'))::uuid, gen_random_uuid(),
      gen_random_uuid(), ${uuidOf('ws', api.workspaceId)}::uuid,
      case when n <= 5 then ${uuidOf('env', staging)}::uuid else ${uuidOf('env', api.environmentId)}::uuid end,
      case when n <= 5 then 'order.rare' else 'order.created' end, 'delivered', now()
    from generate_series(1, 4000) n`;
  await api.db.$executeRaw`analyze delivery`;
  const { listDb } = api.services;
  for (const query of ['event_type=order.rare', `environment_id=${staging}`, 'event_type=order.unknown']) {
    const read = await inTransaction(listDb, async (transaction) => {
      // Postgres counts the rows that a transaction read.
      Reflect.set(api.services, 'listDb', transaction);
      // From the sixth time on, Postgres may use one plan for all values.
      for (let n = 0; n < LISTS; n += 1) {
        const reply = await call('get', `/deliveries?${query}`);
        expect(reply.body.deliveries).toHaveLength(query.endsWith('unknown') ? 0 : 5);
      }
      const [row] = await transaction.$queryRaw<{ rows: number }[]>`
        select sum(seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_xact_user_tables where relname like 'delivery%'`;
      return row?.rows;
    });
    api.services.listDb = listDb;
    expect([query, Number(read) <= 20 * LISTS]).toEqual([query, true]);
  }
});

test('at most 16 large reads of a workspace run or wait; the next is rate_limited, and other workspaces are not affected', async () => {
  const other = await api.seedAnother();
  const callOther = managementCaller(api.app, other);
  await whileHeld('lock table delivery in access exclusive mode', async (release) => {
    const lists = Array.from({ length: 17 }, () => call('get', '/deliveries').then((reply) => reply));
    const first = await Promise.race(lists);
    expect([codeOf(first), first.headers['retry-after']]).toEqual(['rate_limited', '1']);
    expect(first.body.error.message).toBe('Too many large reads of this workspace are under way; try again');
    const others = callOther('get', '/deliveries').then(codeOf);
    await release();
    expect(tally((await Promise.all(lists)).map(codeOf))).toEqual({ 200: 16, rate_limited: 1 });
    expect(await others).toBe(200);
  });
  expect((await call('get', '/deliveries')).status).toBe(200);
});

test('the large reads of a workspace, and of a portal in it, leave connections to those of others', async () => {
  const { portalToken: token } = await seedPortal(api.db, api);
  const callPortal = createCaller(api.app, { base: '/api/portal', token });
  const { id } = (await callPortal('post', '/endpoints', { url: 'https://127.0.0.1/' })).body;
  const other = await api.seedAnother();
  const callOther = managementCaller(api.app, other);
  await whileHeld('lock table delivery in access exclusive mode', async (release) => {
    const ofPortal = Array.from({ length: 4 }, () => callPortal('get', `/endpoints/${id}/deliveries`).then(codeOf));
    // The portal of one application leaves a turn to its workspace.
    expect((await call('get', '/audit-logs')).status).toBe(200);
    const lists = Array.from({ length: 6 }, () => call('get', '/deliveries').then(codeOf));
    await waitingFor(2);
    expect((await callOther('get', '/audit-logs')).status).toBe(200);
    await release();
    expect(tally(await Promise.all([...ofPortal, ...lists]))).toEqual({ 200: 10 });
  });
});

test('reads of the audit log of a workspace leave connections to the lists of others', async () => {
  const other = await api.seedAnother();
  const callOther = managementCaller(api.app, other);
  await whileHeld('lock table audit_entry in access exclusive mode', async (release) => {
    const logs = Array.from({ length: 8 }, () => call('get', '/audit-logs').then(codeOf));
    await waitingFor(2);
    expect((await callOther('get', '/deliveries')).status).toBe(200);
    await release();
    expect(tally(await Promise.all(logs))).toEqual({ 200: 8 });
  });
});

test.each([
  ['/endpoints?include=stats', 'stat'],
  ['/endpoints?include=stats&limit=10', 'stat'],
  ['/environments/{id}/event-types?include=endpoints', 'subscription'],
  ['/event-types', 'event_type'],
  ['/environments/{id}/catalog?limit=10', 'event_type'],
])('%s reads one page of a workspace at a time, and leaves connections to the lists of others', async (path, table) => {
  const other = await api.seedAnother();
  const callOther = managementCaller(api.app, other);
  await call('post', '/event-types', { name: 'order.counted' });
  await whileHeld(`lock table ${table} in access exclusive mode`, async (release) => {
    const lists = Array.from({ length: 8 }, () => call('get', path.replace('{id}', api.environmentId)).then(codeOf));
    await waitingFor(1);
    expect((await callOther('get', '/deliveries')).status).toBe(200);
    expect((await callOther('get', '/environments')).status).toBe(200);
    await release();
    expect(tally(await Promise.all(lists))).toEqual({ 200: 8 });
  });
});

test('a list that waits behind pages that hang is refused after 5 s, and not after those before it', async () => {
  await whileHeld('lock table event_type in access exclusive mode', async (release) => {
    const codes: (number | string)[] = [];
    const lists = Array.from({ length: 3 }, () =>
      call('get', '/event-types').then((reply) => void codes.push(codeOf(reply))),
    );
    await waitFor(() => codes.includes('rate_limited'), { what: 'a refusal', timeoutMs: 30_000 });
    expect(codes).not.toContain(200);
    await release();
    await Promise.all(lists);
    expect(codes).toContain('unavailable');
  });
});

test('of the portal of an application, at most 4 of them run or wait', async () => {
  const { portalToken: token } = await seedPortal(api.db, api);
  const callPortal = createCaller(api.app, { base: '/api/portal', token });
  const { id } = (await callPortal('post', '/endpoints', { url: 'https://127.0.0.1/' })).body;
  await whileHeld('lock table delivery in access exclusive mode', async (release) => {
    const lists = Array.from({ length: 7 }, () => callPortal('get', `/endpoints/${id}/deliveries`).then(codeOf));
    expect(await Promise.race(lists)).toBe('rate_limited');
    const own = call('get', '/deliveries').then(codeOf);
    await release();
    expect(tally(await Promise.all(lists))).toEqual({ 200: 4, rate_limited: 3 });
    expect(await own).toBe(200);
  });
});

test('a list, or the document of a catalogue, that takes longer than 5 s is unavailable and says to ask for less, while a statement of another pool still waits', async () => {
  await whileHeld('lock table delivery, event_type in access exclusive mode', async (release) => {
    const catalogue = call('get', `/environments/${api.environmentId}/catalog/openapi.json`).then((reply) => reply);
    const detail = call('get', `/deliveries/${toId('dlv', '0199aa00-0000-7000-8000-000000000000')}`).then(codeOf);
    const list = call('get', '/deliveries').then((reply) => reply);
    const first = await Promise.race([detail, list]);
    expect(first).not.toBe('not_found');
    const reply = await list;
    expect([codeOf(reply), reply.headers['retry-after']]).toEqual(['unavailable', '1']);
    expect(reply.body.error.message).toMatch(/took too long .* shorter time range or a narrower filter/);
    expect((await catalogue).body.error.message).toBe(reply.body.error.message);
    await release();
    expect(await detail).toBe('not_found');
  });
});

test('12 changes that wait for a locked row do not stop ingestion', async () => {
  const endpointId = (await call('post', '/endpoints', { url: 'https://127.0.0.1/' })).body.id;
  const row = `select 1 from audit_chain where workspace_id = '${uuidOf('ws', api.workspaceId)}' for update`;
  await whileHeld(row, async (release) => {
    const changes = Array.from({ length: 12 }, (_, n) =>
      call('patch', `/endpoints/${endpointId}`, { description: `${n}` }).then(codeOf),
    );
    await waitingFor(2);
    const events = Array.from({ length: 20 }, () =>
      request(api.app).post(`/api/ingest/${endpointId}`).set('x-api-key', api.apiKey).send('{}').then(codeOf),
    );
    const ready = request(api.app).get('/readyz').then(codeOf);
    expect(tally(await Promise.all([...events, ready]))).toEqual({ 200: 1, 202: 20 });
    // None has finished meanwhile: they still wait.
    expect(await Promise.race([...changes, 'waiting'])).toBe('waiting');
    await release();
    await Promise.all(changes);
  });
});

test('searches of applications that wait do not stop other operations', async () => {
  await whileHeld('lock table application in access exclusive mode', async (release) => {
    const searches = Array.from({ length: 8 }, () => call('get', '/applications?search=a').then(codeOf));
    await waitingFor(2);
    expect(codeOf(await call('get', '/environments'))).toBe(200);
    await release();
    expect(tally(await Promise.all(searches))).toEqual({ 200: 8 });
  });
});

/** Holds the look-ups of `held.test` until the test ends them, and refuses it then. */
function holdLookups() {
  const { vetUrl } = api.services;
  let begun = 0;
  let end = () => {};
  const held = new Promise<void>((resolve) => (end = resolve));
  api.services.vetUrl = async (url) => {
    if (!url.includes('held.test')) return vetUrl(url);
    begun += 1;
    await held;
    return { kind: 'refused', rule: 'host', message: 'the test has ended' };
  };
  const restore = () => {
    api.services.vetUrl = vetUrl;
  };
  return { begun: () => begun, end, restore };
}

test('a workspace looks up at most 20 names at once, a portal in it 2, and further saves wait or are rate_limited', async () => {
  const { portalToken: token } = await seedPortal(api.db, api);
  const callPortal = createCaller(api.app, { base: '/api/portal', token });
  const lookups = holdLookups();
  const save = (by: Caller) => by('post', '/endpoints', { url: 'https://held.test/' }).then(codeOf);
  const ofPortal = Array.from({ length: 61 }, () => save(callPortal));
  expect(await Promise.race(ofPortal)).toBe('rate_limited');
  expect(lookups.begun()).toBe(2);
  const saves = Array.from({ length: 111 }, () => save(call));
  expect(await Promise.race(saves)).toBe('rate_limited');
  expect(lookups.begun()).toBe(20);
  const other = await api.seedAnother();
  const ofOther = save(managementCaller(api.app, other));
  await waitFor(() => lookups.begun() === 21, { what: 'the look-up of the other workspace to begin' });
  lookups.end();
  expect(await ofOther).toBe('validation_error');
  expect(tally(await Promise.all(saves))).toEqual({ validation_error: 18 + 75, rate_limited: 18 });
  expect(tally(await Promise.all(ofPortal))).toEqual({ validation_error: 2 + 25, rate_limited: 34 });
  lookups.restore();
});

test('dry runs of promotions that wait for look-ups do not stop the lists of their workspace', async () => {
  const target = (await call('post', '/environments', { name: 'Target', slug: 'target' })).body.id;
  const { id } = (await call('post', '/endpoints', { url: 'https://127.0.0.1/' })).body;
  const lookups = holdLookups();
  const body = { endpoints: [{ endpointId: id, url: 'https://held.test/' }], dryRun: true };
  const path = `/environments/${api.environmentId}/promote/${target}`;
  const dryRuns = Array.from({ length: 8 }, () => call('post', path, body).then(codeOf));
  await waitFor(() => lookups.begun() >= 2, { what: 'the look-ups to begin' });
  expect(await Promise.race([call('get', '/deliveries').then(codeOf), ...dryRuns])).toBe(200);
  expect(lookups.begun()).toBe(8);
  lookups.end();
  expect(tally(await Promise.all(dryRuns))).toEqual({ validation_error: 8 });
  lookups.restore();
});

/** Resolves once this many sessions wait for a lock. */
async function waitingFor(sessions: number) {
  for (;;) {
    const [row] = await api.db.$queryRaw<{ count: number }[]>`
      select count(*)::int as count from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    if ((row?.count ?? 0) >= sessions) return;
  }
}
