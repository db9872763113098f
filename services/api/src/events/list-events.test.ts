import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newUuid, toId } from '@posthorn/contract/ids';
import { withConnection } from '@posthorn/db/connection';
import { ensurePartitions } from '@posthorn/db/partitions';
import { inTransaction } from '@posthorn/db/transaction';
import { lowestKeyAt } from '@posthorn/db/uuid-range';
import request from 'supertest';
import { type ApiUnderTest, startApi } from '../../test/api-under-test.ts';
import { type Caller, codeOf, createCaller, managementCaller } from '../../test/caller.ts';
import { fanOutTo } from '../../test/fan-out.ts';
import { seedPortal, uuidOf } from '../../test/people.ts';
import { SCANNED } from './event-pages.ts';

let api: ApiUnderTest;
let call: Caller;
let portal: Caller;
let applicationId: string;
let otherApplicationId: string;
let staging: string;
let own: string;
let customers: string;
/** The public ids of the events, by a name for each. */
const made: Record<string, string> = {};
const HOUR = 3_600_000;
const at = (hoursAgo: number) => new Date(Date.now() - hoursAgo * HOUR);

beforeAll(async () => {
  api = await startApi({ rateLimits: { management: 0, ingest: 0 } });
  call = createCaller(api.app, { base: api.base, token: api.managementToken });
  await withConnection(api.databaseUrl, (connection) => ensurePartitions(connection, at(240)));
  const { workspaceId, environmentId } = api;
  const seeded = await seedPortal(api.db, { workspaceId, environmentId });
  applicationId = seeded.applicationId;
  portal = createCaller(api.app, { base: '/api/portal', token: seeded.portalToken });
  otherApplicationId = (await call('post', '/applications', { name: 'Other' })).body.id;
  staging = (await call('post', '/environments', { name: 'Staging', slug: 'staging' })).body.id;
  own = (await call('post', '/endpoints', { url: 'https://127.0.0.1/' })).body.id;
  const ofCustomer = { url: 'https://127.0.0.1/' };
  customers = (await call('post', `/applications/${applicationId}/endpoints`, ofCustomer)).body.id;
  await insert('waiting', 1, {});
  await api.db.pendingFanOut.create({ data: { eventId: keyOf('waiting') } });
  await insert('to both', 2, { idempotencyKey: 'order-1' }, [own, customers]);
  await insert('to own', 3, { payloadSize: 0 }, [own]);
  await insert('nobody', 4, { eventType: 'order.paid' }, []);
  await insert('unpublished', 5, { published: false });
  await api.db.unmatchedEvent.create({
    data: { eventId: keyOf('unpublished'), workspaceId: uuidOf('ws', workspaceId) },
  });
  await insert('cancelled', 6, {});
  await api.db.cancelledEvent.create({
    data: { eventId: keyOf('cancelled'), workspaceId: uuidOf('ws', workspaceId) },
  });
  await insert('staging', 7, { environmentId: uuidOf('env', staging) }, []);
  await insert('sent to customer', 8, { applicationId: uuidOf('app', applicationId) }, []);
  await insert('sent to other', 9, { applicationId: uuidOf('app', otherApplicationId) }, []);
  await insert('old key', 50, { idempotencyKey: 'order-1' }, [customers]);
  await insert('nearly expired', 167, { isTest: true }, [own]);
  await insert('expired', 169, {}, [own]);
});
afterAll(() => api.stop());

const keyOf = (name: string) => uuidOf('msg', made[name] ?? '');

async function insert(name: string, hoursAgo: number, given: object, endpoints?: string[]) {
  const id = lowestKeyAt(at(hoursAgo)).slice(0, 14) + newUuid(new Date()).slice(14);
  made[name] = toId('msg', id);
  const [workspaceId, environmentId] = [uuidOf('ws', api.workspaceId), uuidOf('env', api.environmentId)];
  const event = { id, workspaceId, environmentId, eventType: 'order.created', payloadSize: 6, published: true };
  const row = { ...event, ...given };
  await api.db.event.create({ data: row });
  const key = Reflect.get(row, 'idempotencyKey');
  if (key !== undefined && hoursAgo < 24) {
    const record = { environmentId: row.environmentId, key, requestHash: Buffer.alloc(32), eventId: id };
    await api.db.idempotencyRecord.create({
      data: { ...record, published: true, expiresAt: new Date(at(hoursAgo).getTime() + 24 * HOUR) },
    });
  }
  if (endpoints === undefined) return;
  await api.db.pendingFanOut.create({ data: { eventId: id } });
  await fanOutTo(
    api.db,
    id,
    endpoints.map((endpoint) => uuidOf('ep', endpoint)),
  );
}

const names = (body: { events: { id: string }[] }) =>
  body.events.map(({ id }) => Object.keys(made).find((name) => made[name] === id));
const list = async (query: string, by = call) => names((await by('get', `/events?${query}`)).body);
const ALL = [
  'waiting',
  'to both',
  'to own',
  'nobody',
  'unpublished',
  'cancelled',
  'staging',
  'sent to customer',
  'sent to other',
  'old key',
  'nearly expired',
];

async function pages(query: string, by: Caller): Promise<unknown[]> {
  const seen: unknown[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page = await by('get', `/events?${query}${cursor === '' ? '' : `&cursor=${cursor}`}`);
    seen.push(...names(page.body));
    cursor = page.body.nextCursor;
  }
  return seen;
}

describe('the workspace’s events', () => {
  test('are listed newest first, and only within the retention', async () => {
    const reply = await call('get', '/events');
    expect([reply.status, names(reply.body), reply.body.nextCursor]).toEqual([200, ALL, null]);
    expect((await call('get', `/events/${made.expired}`)).status).toBe(200);
    const deliveriesOf = (name: string) => call('get', `/events/${made[name]}/deliveries`);
    expect((await deliveriesOf('nearly expired')).body.deliveries).toHaveLength(1);
    expect((await deliveriesOf('expired')).body.deliveries).toEqual([]);
  });

  test.each<[string, () => string, string[]]>([
    ['environment', () => `environment_id=${staging}`, ['staging']],
    ['application', () => `application_id=${applicationId}`, ['sent to customer']],
    ['type', () => 'event_type=order.paid', ['nobody']],
    ['key, recorded and older', () => 'idempotency_key=order-1', ['to both', 'old key']],
    ['the id of an event without a key', () => `idempotency_key=${made.nobody}`, ['nobody']],
    ['the id of an event with a key', () => `idempotency_key=${made['to both']}`, []],
    ['key and type', () => 'idempotency_key=order-1&event_type=order.paid', []],
    ['status matching', () => 'status=matching', ['waiting']],
    ['status matched', () => 'status=matched', ['to both', 'to own', 'old key', 'nearly expired']],
    ['status cancelled', () => 'status=cancelled', ['cancelled']],
    ['status scheduled', () => 'status=scheduled', []],
    [
      'status unmatched',
      () => 'status=unmatched',
      ['nobody', 'unpublished', 'staging', 'sent to customer', 'sent to other'],
    ],
    ['status and environment', () => `status=unmatched&environment_id=${staging}`, ['staging']],
    ['a span', () => `from=${at(4.5).toISOString()}&to=${at(2.5).toISOString()}`, ['to own', 'nobody']],
    ['an empty span', () => `from=${at(2).toISOString()}&to=${at(2).toISOString()}`, []],
    ['all times', () => 'from=0001-01-01T00:00:00Z&to=9999-12-31T23:59:59-23:59&status=matching', ['waiting']],
  ])('by %s', async (_, query, expected) => {
    expect(await list(query())).toEqual(expected);
    expect(await pages(`${query()}&limit=1`, call)).toEqual(expected);
  });

  test('the pages together hold every event once', async () => {
    expect(await pages('limit=3', call)).toEqual(ALL);
  });

  test.each(['status=open', 'limit=0', 'from=yesterday', 'idempotency_key=', 'event_type=A'])(
    '%s is refused',
    async (query) => {
      expect(codeOf(await call('get', `/events?${query}`))).toBe('validation_error');
    },
  );

  test('an unknown environment or application is not found; a cursor belongs to its list and filters', async () => {
    for (const query of [`environment_id=${made.nobody}`, 'application_id=ext:none']) {
      expect(codeOf(await call('get', `/events?${query}`))).toBe('not_found');
    }
    const { nextCursor } = (await call('get', '/events?limit=1')).body;
    expect(codeOf(await call('get', `/events?status=matched&cursor=${nextCursor}`))).toBe('invalid_cursor');
    expect(codeOf(await call('get', `/deliveries?cursor=${nextCursor}`))).toBe('invalid_cursor');
  });

  test('another workspace’s are neither listed nor read', async () => {
    const { workspaceId, managementToken } = await api.seedAnother();
    const other = managementCaller(api.app, { workspaceId, managementToken });
    for (const query of [
      '',
      'status=cancelled',
      'status=matching',
      'status=unmatched',
      `idempotency_key=${made.nobody}`,
    ]) {
      expect((await other('get', `/events?${query}`)).body).toEqual({ events: [], nextCursor: null });
    }
    expect(codeOf(await other('get', `/events/${made.nobody}`))).toBe('not_found');
    expect(codeOf(await other('get', `/events/${made.nobody}/trace`))).toBe('not_found');
  });
});

test('one request reads a bounded number of events: a rare one is found by following the pages', async () => {
  const { workspaceId, environmentId, managementToken } = await api.seedAnother();
  const other = managementCaller(api.app, { workspaceId, managementToken });
  const key = lowestKeyAt(at(1)).slice(0, 14);
  await api.db.$executeRaw`
    insert into event (id, workspace_id, environment_id, event_type, payload_size, published)
    select (${key} || '7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, ${uuidOf('ws', workspaceId)}::uuid,
      ${uuidOf('env', environmentId)}::uuid, case n when 3 then 'order.rare' else 'order.created' end, 0, true
    from generate_series(1, ${SCANNED + 10}::int) n`;
  for (const filter of ['event_type=order.rare', 'event_type=order.rare&status=unmatched', 'idempotency_key=none']) {
    const read = await rowsRead(() => other('get', `/events?${filter}`));
    expect([filter, read.reply.body.events, read.rows <= SCANNED * 3]).toEqual([filter, [], true]);
  }
  const first = (await other('get', '/events?event_type=order.rare')).body;
  const second = (await other('get', `/events?event_type=order.rare&cursor=${first.nextCursor}`)).body;
  expect([second.events.length, second.nextCursor]).toEqual([1, null]);
});

/** Runs `work`, and counts the rows that it read from the events by the connections of lists. */
async function rowsRead<T>(work: () => Promise<T>) {
  const { listDb } = api.services;
  return inTransaction(listDb, async (transaction) => {
    Reflect.set(api.services, 'listDb', transaction);
    const reply = await work();
    api.services.listDb = listDb;
    const [row] = await transaction.$queryRaw<{ rows: number }[]>`
      select sum(seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_xact_user_tables where relname like 'event_2%'`;
    return { reply, rows: row?.rows ?? 0 };
  });
}

describe('an event', () => {
  test('has its fields, its status and the number of its deliveries of each status', async () => {
    const zeros = { pending: 0, delivering: 0, delivered: 0, scheduled_retry: 0, failed: 0, dead_letter: 0 };
    await api.db.delivery.updateMany({
      where: { eventId: keyOf('to both'), endpointId: uuidOf('ep', own) },
      data: { status: 'delivered', dueAt: null },
    });
    const event = {
      id: made['to both'],
      eventType: 'order.created',
      eventTypeName: 'order.created',
      environmentId: api.environmentId,
      applicationId: null,
      endpointId: null,
      idempotencyKey: 'order-1',
      orderingKey: null,
      deliverAt: null,
      status: 'matched',
      published: true,
      hasPayload: true,
      isTest: false,
      searchable: true,
      source: null,
      schemaErrors: null,
      deliveries: { ...zeros, pending: 1, delivered: 1 },
      reachedApplications: 1,
      createdAt: expect.stringMatching(/Z$/),
    };
    expect((await call('get', `/events/${made['to both']}`)).body).toEqual(event);
    expect((await call('get', '/events?limit=2')).body.events[1]).toEqual(event);
    expect((await call('get', `/events/${made.unpublished}`)).body).toMatchObject({
      idempotencyKey: made.unpublished,
      status: 'unmatched',
      published: false,
      deliveries: zeros,
    });
    expect((await call('get', `/events/${made['nearly expired']}`)).body).toMatchObject({ isTest: true });
  });

  test('sent to one endpoint names it, and is matched', async () => {
    const sent = await request(api.app).post(`/api/ingest/${own}`).set('x-api-key', api.apiKey).send({ n: 1 });
    const reply = await call('get', `/events/${sent.body.id}`);
    expect(reply.body).toMatchObject({
      endpointId: own,
      eventType: null,
      eventTypeName: null,
      status: 'matched',
      published: true,
    });
    await api.db.event.deleteMany({ where: { id: uuidOf('msg', sent.body.id) } });
  });

  test('shows its payload to a caller that may read it, and the view is in the audit log once an hour', async () => {
    const sent = await request(api.app).post(`/api/ingest/${own}`).set('x-api-key', api.apiKey).send({ n: 1 });
    const path = `/events/${sent.body.id}?include=payload`;
    for (const _ of [1, 2]) {
      expect((await call('get', path)).body.payload).toMatchObject({ status: 'available', body: '{"n":1}' });
    }
    const reader = await api.seedAnother({ plan: 'free' });
    const { body } = await call('get', '/audit-logs?action=payload.viewed');
    expect(body.data.map((entry: { resourceId: string }) => entry.resourceId)).toEqual([sent.body.id]);
    const free = managementCaller(api.app, reader);
    const ofFree = await request(api.app)
      .post('/api/ingest/event/none.such')
      .set('x-api-key', reader.apiKey)
      .send({ n: 1 });
    expect(ofFree.status).toBe(404);
    await free('post', '/event-types', { name: 'none.such' });
    const kept = await request(api.app).post('/api/ingest/event/none.such').set('x-api-key', reader.apiKey).send({});
    const shown = (await free('get', `/events/${kept.body.id}?include=payload`)).body;
    expect([shown.status, shown.payload.status]).toEqual(['unmatched', 'plan_required']);
    expect((await free('get', '/events?status=unmatched')).body.events).toHaveLength(1);
    expect((await call('get', `/events/${made['to own']}?include=attempts`)).status).toBe(400);
    await api.db.event.deleteMany({ where: { id: uuidOf('msg', sent.body.id) } });
  });
});

describe('a portal', () => {
  test('sees the events with a delivery to its application or sent to it, with its own deliveries alone', async () => {
    expect(await list('', portal)).toEqual(['to both', 'sent to customer', 'old key']);
    for (const limit of [1, 2]) {
      expect(await pages(`limit=${limit}`, portal)).toEqual(['to both', 'sent to customer', 'old key']);
    }
    expect(await list('idempotency_key=order-1', portal)).toEqual(['to both', 'old key']);
    expect(await list('status=unmatched', portal)).toEqual(['sent to customer']);
    const both = (await portal('get', `/events/${made['to both']}`)).body;
    expect(Object.values(both.deliveries).reduce((sum: number, n) => sum + Number(n), 0)).toBe(1);
  });

  test('finds an event by its key at once, however many newer events there are', async () => {
    const newer = ['newer', 'next', 'second next'];
    for (const name of newer) await insert(name, 1.5, {}, [customers]);
    const ofOther = { idempotencyKey: 'order-2', applicationId: uuidOf('app', otherApplicationId) };
    await insert('other with a key', 2.5, ofOther);
    expect(await list('limit=1&idempotency_key=order-1', portal)).toEqual(['to both']);
    expect(await pages('limit=1&idempotency_key=order-1', portal)).toEqual(['to both', 'old key']);
    const ofEvent = `limit=1&idempotency_key=${made['sent to customer']}`;
    expect(await list(ofEvent, portal)).toEqual(['sent to customer']);
    expect(await pages('limit=1&idempotency_key=order-2', portal)).toEqual([]);
    await api.db.event.deleteMany({ where: { id: { in: [...newer, 'other with a key'].map(keyOf) } } });
  });

  test('shows an event whose endpoint was deleted with the status under which it is found', async () => {
    const { id } = (await call('post', `/applications/${applicationId}/endpoints`, { url: 'https://127.0.0.1/' })).body;
    const ofApplication = { applicationId: uuidOf('app', applicationId) };
    await insert('to deleted', 10, ofApplication, [id]);
    await insert('later to deleted', 10.5, { ...ofApplication, deliverAt: at(-1) }, [id]);
    expect((await call('delete', `/endpoints/${id}`)).status).toBe(204);
    const none = { pending: 0, delivering: 0, delivered: 0, scheduled_retry: 0, failed: 0, dead_letter: 0 };
    for (const [name, status] of [
      ['to deleted', 'matched'],
      ['later to deleted', 'scheduled'],
    ]) {
      expect(await list(`status=${status}&application_id=${applicationId}`, portal)).toContain(name);
      const shown = (await portal('get', `/events/${made[name ?? '']}`)).body;
      expect([shown.status, shown.deliveries]).toEqual([status, none]);
    }
    await api.db.event.deleteMany({ where: { id: { in: [keyOf('to deleted'), keyOf('later to deleted')] } } });
  });

  test('lists the deliveries of an event to its own endpoints alone', async () => {
    const path = `/events/${made['to both']}/deliveries`;
    const all = (await call('get', path)).body.deliveries;
    expect(all.length).toBeGreaterThan(1);
    const first = (await call('get', `${path}?limit=1`)).body;
    const second = (await call('get', `${path}?limit=1&cursor=${encodeURIComponent(first.nextCursor)}`)).body;
    expect([first, second].map(({ deliveries }) => deliveries[0])).toEqual(all.slice(0, 2));
    const own = (await portal('get', path)).body;
    expect(own.deliveries).toHaveLength(1);
    expect(all).toContainEqual(own.deliveries[0]);
    expect(codeOf(await portal('get', `/events/${made['to own']}/deliveries`))).toBe('not_found');
  });

  test('reads no other event, no other application, and no trace', async () => {
    for (const name of ['to own', 'nobody', 'sent to other', 'staging']) {
      expect(codeOf(await portal('get', `/events/${made[name]}`))).toBe('not_found');
    }
    expect(codeOf(await portal('get', `/events?application_id=${otherApplicationId}`))).toBe('not_found');
    expect(codeOf(await portal('get', `/events?environment_id=${staging}`))).toBe('not_found');
    expect(codeOf(await portal('get', `/events/${made['to both']}/trace`))).toBe('not_found');
  });

  test('without deliveries:read reads none', async () => {
    const { portalToken } = await seedPortal(api.db, {
      ...{ workspaceId: api.workspaceId, environmentId: api.environmentId },
      ...{ applicationId, capabilities: ['endpoints:read'] },
    });
    const blind = createCaller(api.app, { base: '/api/portal', token: portalToken });
    expect(codeOf(await blind('get', '/events'))).toBe('forbidden');
    expect(codeOf(await blind('get', `/events/${made['to both']}`))).toBe('forbidden');
  });

  test('with many events in one millisecond, the pages together hold every event once', async () => {
    const time = lowestKeyAt(at(3.5)).slice(0, 14);
    const ids: string[] = [];
    for (let n = 0; n < 12; n += 1) {
      await insert(`tied ${n}`, 3.5, {}, []);
      const id = keyOf(`tied ${n}`);
      await api.db.event.delete({ where: { id } });
      await api.db.unmatchedEvent.delete({ where: { eventId: id } });
      made[`tied ${n}`] = toId('msg', time + id.slice(14));
      ids.push(keyOf(`tied ${n}`));
      const [workspaceId, environmentId] = [uuidOf('ws', api.workspaceId), uuidOf('env', api.environmentId)];
      await api.db.event.create({
        data: { id: keyOf(`tied ${n}`), workspaceId, environmentId, eventType: 'a.b', payloadSize: 0, published: true },
      });
      await api.db.pendingFanOut.create({ data: { eventId: keyOf(`tied ${n}`) } });
      await fanOutTo(api.db, keyOf(`tied ${n}`), [uuidOf('ep', customers)]);
    }
    const expected = ids
      .sort()
      .reverse()
      .map((id) => Object.keys(made).find((name) => made[name] === toId('msg', id)));
    for (const limit of [1, 3, 50]) {
      expect(await pages(`limit=${limit}&event_type=a.b`, portal)).toEqual(expected);
    }
  });
});

test('the portal of a customer with hundreds of agents lists what its webhooks got', async () => {
  const { workspaceId, environmentId } = api;
  const seeded = await seedPortal(api.db, { workspaceId, environmentId });
  const row = {
    workspaceId: uuidOf('ws', workspaceId),
    environmentId: uuidOf('env', environmentId),
    applicationId: uuidOf('app', seeded.applicationId),
    url: 'https://127.0.0.1/',
    isTemporary: true,
  };
  await api.db.endpoint.createMany({
    data: Array.from({ length: 510 }, () => ({ ...row, id: newUuid(new Date()) })),
  });
  const webhook = (await call('post', `/applications/${seeded.applicationId}/endpoints`, { url: row.url })).body.id;
  await insert('to the webhook', 10, {}, [webhook]);
  const itsPortal = createCaller(api.app, { base: '/api/portal', token: seeded.portalToken });
  expect(await list('', itsPortal)).toEqual(['to the webhook']);
});

test('a portal counts, lists and shows the same deliveries, those to its agents included', async () => {
  const seeded = await seedPortal(api.db, api);
  const its = createCaller(api.app, { base: '/api/portal', token: seeded.portalToken });
  const newEndpoint = async () => {
    const path = `/applications/${seeded.applicationId}/endpoints`;
    return String((await call('post', path, { url: 'https://127.0.0.1/' })).body.id);
  };
  const [webhook, agent] = [await newEndpoint(), await newEndpoint()];
  await insert('to an agent', 1, {}, [webhook, agent, own]);
  await api.db.endpoint.update({ where: { id: uuidOf('ep', agent) }, data: { isTemporary: true } });
  const event = `/events/${made['to an agent']}`;
  const { deliveries } = (await its('get', event)).body;
  const listed = (await its('get', `${event}/deliveries`)).body.deliveries as { id: string; endpointId: string }[];
  expect(listed.map(({ endpointId }) => endpointId).sort()).toEqual([webhook, agent].sort());
  expect(Object.values<number>(deliveries).reduce((sum, one) => sum + one)).toBe(listed.length);
  for (const delivery of listed) expect((await its('get', `/deliveries/${delivery.id}`)).body).toMatchObject(delivery);
});
