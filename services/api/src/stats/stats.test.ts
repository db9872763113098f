import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { endCatchUp, findGap, pacesOf } from '@posthorn/ledger/catch-up';
import { deferDeliveries } from '@posthorn/ledger/defer';
import { createGatherer } from '@posthorn/stats/gather';
import { createStatsWriter } from '@posthorn/stats/write';
import { insertDelivery } from '@posthorn/testkit/delivery-rows';
import { waitFor } from '@posthorn/testkit/wait-for';
import request from 'supertest';
import { type ApiUnderTest, startApi } from '../../test/api-under-test.ts';
import { type Caller, createCaller } from '../../test/caller.ts';
import { type SeededPortal, seedPerson, seedPortal, uuidOf } from '../../test/people.ts';

const HOUR_MS = 3_600_000;

let api: ApiUnderTest;
let call: Caller;
let portal: SeededPortal;
/** The workspace's own endpoint, and the endpoint of a customer. */
let own: string;
let customers: string;
let nowMs: number;

/** Counts as dispatchers do, and writes. */
async function count(work: (gatherer: ReturnType<typeof createGatherer>) => void): Promise<void> {
  const gatherer = createGatherer({ nowMs: () => nowMs, onFull: () => {}, onDropped: () => {} });
  work(gatherer);
  await createStatsWriter(api.db, gatherer)();
}

const factsOf = (endpointId: string, eventType: string | null) => {
  return { workspaceId: uuidOf('ws', api.workspaceId), endpointId: uuidOf('ep', endpointId), eventType };
};
const success = (durationMs: number) => ({ succeeded: true, durationMs, delayMs: 2 * durationMs });
const visit = (path: string, token = portal.portalToken) =>
  request(api.app).get(`/api/portal${path}`).set('authorization', `Bearer ${token}`);

beforeAll(async () => {
  api = await startApi({ rateLimits: { management: 0, ingest: 0 } });
  call = createCaller(api.app, { base: api.base, token: api.managementToken });
  portal = await seedPortal(api.db, api);
  const url = 'https://127.0.0.1/hook';
  own = (await call('post', '/endpoints', { url })).body.id;
  customers = (await call('post', `/applications/${portal.applicationId}/endpoints`, { url })).body.id;
  // The beginning of an hour, so that the figures of the last hour are in one step.
  nowMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  await count((gatherer) => {
    for (let n = 0; n < 10; n += 1) gatherer.countAttempt(factsOf(own, 'order.created'), success(100));
    gatherer.countEnded(factsOf(own, 'order.created'), 'delivered', 10);
    gatherer.countAttempt(factsOf(own, null), { succeeded: false, durationMs: 1_000, delayMs: null });
    gatherer.countEnded(factsOf(own, null), 'dead_letter');
    gatherer.countAttempt(factsOf(customers, 'order.paid'), success(10));
    gatherer.countEnded(factsOf(customers, 'order.paid'), 'delivered');
    gatherer.countEnded(factsOf(customers, 'order.paid'), 'failed', 3);
  });
  await call('post', '/event-types', { name: 'order.created' });
  const ingest = (headers: Record<string, string>) =>
    request(api.app)
      .post('/api/ingest/event/order.created')
      .set({ authorization: `Bearer ${api.apiKey}`, ...headers })
      .send({ a: 1 });
  await Promise.all([
    ingest({}),
    ingest({ 'idempotency-key': 'k' }),
    ingest({ 'x-application-id': portal.applicationId }),
  ]);
  await ingest({ 'idempotency-key': 'k' });
});
afterAll(() => api.stop());

const none = { p50: null, p95: null, p99: null };
const near = (exact: number) => {
  const told = expect.closeTo(exact, -Math.log10(0.1 * exact));
  return { p50: told, p95: told, p99: told };
};

test('the last 24 hours by hour, with a point for every hour; a repeated event counts once', async () => {
  await waitFor(async () => (await call('get', '/stats')).body.totals.ingested === 3, { what: 'the events' });
  const { body } = await call('get', '/stats');
  expect([body.step, body.series.length]).toEqual(['hour', expect.any(Number)]);
  expect([24, 25]).toContain(body.series.length);
  expect(Date.parse(body.to) - Date.parse(body.from)).toBe(body.series.length * HOUR_MS);
  expect(body.series[0]).toEqual({
    at: body.from,
    ...{ ingested: 0, attempts: 0, succeeded: 0, failed: 0, delivered: 0, deadLettered: 0 },
    ...{ durationMs: none, delayMs: none },
  });
  expect(body.totals).toMatchObject({
    attempts: 12,
    succeeded: 11,
    failed: 1,
    delivered: 11,
    deadLettered: 1,
    ended: 15,
  });
  expect(body.series.find((point: { attempts: number }) => point.attempts > 0)).toMatchObject({ attempts: 12 });
});

test('every step shows the same totals: the minutes of a day, the hours of a week, the days of the retention', async () => {
  const from = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();
  const { body: minutes } = await call('get', `/stats?step=minute&from=${from(23)}`);
  const { body: hours } = await call('get', `/stats?step=hour&from=${from(24 * 6.9)}`);
  const { body: days } = await call('get', `/stats?step=day&from=${from(24 * 300)}`);
  expect(minutes.totals).toEqual(hours.totals);
  expect(days.totals).toEqual(hours.totals);
  expect([days.series.length, minutes.series.length]).toEqual([8, expect.any(Number)]);
  expect(hours.totals.durationMs).toEqual({ p50: near(100).p50, p95: near(1_000).p95, p99: near(1_000).p99 });
});

describe('a filter', () => {
  const totals = async (query: string) => (await call('get', `/stats?${query}`)).body.totals;

  test.each(['minute', 'hour', 'day'])('by endpoint and event type tells their part, by %s', async (step) => {
    const from = `from=${new Date(Date.now() - 2 * HOUR_MS).toISOString()}`;
    const ask = (query: string) => totals(`step=${step}&${from}&${query}`);
    expect(await ask(`endpoint_id=${own}`)).toMatchObject({ ingested: null, attempts: 11, failed: 1 });
    expect(await ask(`endpoint_id=${own}&event_type=order.created`)).toMatchObject({
      ...{ ingested: null, attempts: 10, failed: 0, delivered: 10, deadLettered: 0 },
      ...{ durationMs: near(100), delayMs: near(200) },
    });
    expect(await ask('event_type=order.paid')).toMatchObject({ ingested: 0, attempts: 1, ended: 4 });
    expect(await ask('event_type=order.unknown')).toMatchObject({ ingested: 0, attempts: 0, durationMs: none });
  });

  test('by application counts its endpoints, and the events that were sent to it', async () => {
    expect(await totals(`application_id=${portal.applicationId}`)).toMatchObject({
      ingested: 1,
      attempts: 1,
      ended: 4,
    });
    expect(await totals(`application_id=${portal.applicationId}&endpoint_id=${own}`)).toMatchObject({ attempts: 0 });
  });

  test('by environment leaves out the others; together with another environment’s endpoint it leaves nothing', async () => {
    const staging = (await call('post', '/environments', { name: 'Staging', slug: 'staging' })).body.id;
    expect(await totals(`environment_id=${api.environmentId}`)).toMatchObject({ ingested: 3, attempts: 12 });
    expect(await totals(`environment_id=${staging}`)).toMatchObject({ ingested: 0, attempts: 0 });
    expect(await totals(`environment_id=${staging}&endpoint_id=${own}`)).toMatchObject({ attempts: 0 });
  });

  test('by an endpoint that is deleted still tells', async () => {
    const { id } = (await call('post', '/endpoints', { url: 'https://127.0.0.1/deleted' })).body;
    await count((gatherer) => gatherer.countEnded(factsOf(id, 'order.late'), 'failed'));
    await call('delete', `/endpoints/${id}`);
    expect(await totals(`endpoint_id=${id}`)).toMatchObject({ ended: 1 });
  });
});

describe('groups', () => {
  const groups = async (query: string) =>
    (await call('get', `/stats?${query}`)).body.groups.map(
      ({ key, totals }: { key: string; totals: { attempts: number; ended: number } }) => [
        key,
        totals.attempts,
        totals.ended,
      ],
    );

  test('by endpoint are the largest first, by their hours', async () => {
    const expected = [
      [own, 11, 11],
      [customers, 1, 4],
    ];
    for (const step of ['minute', 'hour', 'day']) {
      const found = await groups(
        `group_by=endpoint&step=${step}&from=${new Date(Date.now() - 2 * HOUR_MS).toISOString()}`,
      );
      expect(found.slice(0, 2)).toEqual(expected);
    }
    expect(await groups('group_by=endpoint&event_type=order.created')).toEqual([[own, 10, 10]]);
    expect(await groups(`group_by=endpoint&application_id=${portal.applicationId}`)).toEqual([[customers, 1, 4]]);
    expect(await groups(`group_by=endpoint&endpoint_id=${own}`)).toEqual([[own, 11, 11]]);
    const { body } = await call('get', '/stats?group_by=endpoint&event_type=order.created');
    expect(body.groups[0].totals).toMatchObject({ ingested: null, durationMs: near(100) });
  });

  test('by endpoint of an application with many deleted endpoints are the same, and no statement reads all of these', async () => {
    const path = `/stats?group_by=endpoint&application_id=${portal.applicationId}`;
    const { body } = await call('get', path);
    expect(body.groups).toMatchObject([{ key: customers }]);
    await api.db.$executeRaw`
      insert into endpoint (id, workspace_id, environment_id, application_id, url, deleted_at)
      select gen_random_uuid(), ${uuidOf('ws', api.workspaceId)}::uuid, ${uuidOf('env', api.environmentId)}::uuid,
        ${uuidOf('app', portal.applicationId)}::uuid, 'https://127.0.0.1/', now() from generate_series(1, 1500)`;
    const { listDb } = api.services;
    const read: number[] = [];
    const watched = listDb.$extends({
      query: {
        endpoint: {
          async findMany({ args, query }) {
            const rows = await query(args);
            read.push(rows.length);
            return rows;
          },
        },
        $queryRaw({ args, query }) {
          read.push(...args.values.map((value) => (Array.isArray(value) ? value.length : 0)));
          return query(args);
        },
      },
    });
    Reflect.set(api.services, 'listDb', watched);
    const reply = await call('get', path);
    const ofPortal = await visit('/stats?group_by=endpoint');
    api.services.listDb = listDb;
    expect([reply.body.groups, ofPortal.body.groups]).toEqual([body.groups, body.groups]);
    expect(Math.max(...read)).toBeLessThanOrEqual(1_001);
  });

  test('by event type name direct ingestion null', async () => {
    expect(await groups(`group_by=event_type&endpoint_id=${own}`)).toEqual([
      ['order.created', 10, 10],
      [null, 1, 1],
    ]);
    const { body } = await call('get', '/stats?group_by=event_type');
    expect(body.groups[0]).toMatchObject({ key: 'order.created', totals: { ingested: 3, delayMs: near(200) } });
  });

  test('by status count the deliveries that ended', async () => {
    expect(await groups(`group_by=status&application_id=${portal.applicationId}`)).toEqual([
      ['failed', null, 3],
      ['delivered', null, 1],
    ]);
  });
});

test.each(['minute', 'hour', 'day'])('a span wholly after now or before the retention has no %s', async (step) => {
  const now = Date.now();
  const ask = async (fromMs: number, toMs: number, more = '') => {
    const [from, to] = [new Date(fromMs).toISOString(), new Date(toMs).toISOString()];
    return (await call('get', `/stats?step=${step}&from=${from}&to=${to}${more}`)).body;
  };
  const day = 24 * HOUR_MS;
  for (const [from, to] of [
    [now + 2 * day, now + 3 * day],
    [now - 400 * day, now - 399 * day],
    [Date.parse('9999-12-31T00:00:00Z'), Date.parse('9999-12-31T23:59:59Z')],
  ] as const) {
    const body = await ask(from, to);
    expect([body.series, body.to, body.totals]).toEqual([
      [],
      body.from,
      expect.objectContaining({ ingested: 0, attempts: 0 }),
    ]);
    expect((await ask(from, to, '&group_by=event_type')).groups).toEqual([]);
  }
  // The present step is not over, so a span that begins in it has it.
  expect((await ask(now, now + 1_000)).series.length).toBeGreaterThanOrEqual(1);
});

test('a delivery that is cancelled counts as ended', async () => {
  const { id } = (await call('post', '/endpoints', { url: 'https://127.0.0.1/cancelled' })).body;
  const sent = await request(api.app)
    .post(`/api/ingest/${id}`)
    .set('authorization', `Bearer ${api.apiKey}`)
    .send({ a: 1 });
  expect((await call('post', `/deliveries/${sent.body.deliveryId}/cancel`)).status).toBe(200);
  const ended = async () => (await call('get', `/stats?endpoint_id=${id}`)).body.totals.ended;
  await waitFor(async () => (await ended()) === 1, { what: 'the count' });
});

test.each([
  ['from=2026-01-01', 'from must be an ISO 8601 date-time with an offset'],
  ['from=2026-11-21T00:00:00Z&to=2026-11-20T00:00:00Z', 'from must be before to'],
  ['step=week', 'step must be one of minute, hour, day'],
  ['group_by=url', 'group_by must be one of endpoint, event_type, status'],
  [
    'step=minute&from=2026-11-20T00:00:00Z&to=2026-11-21T00:00:01Z',
    'from and to must be at most 24 hours apart with step=minute',
  ],
  ['from=2026-11-01T00:00:00Z&to=2026-11-21T00:00:00Z', 'from and to must be at most 7 days apart with step=hour'],
])('%s is refused by the name of the field and the rule', async (query, message) => {
  const reply = await call('get', `/stats?${query}`);
  expect([reply.status, reply.body.error]).toMatchObject([400, { code: 'validation_error', message }]);
});

test('a filter of another workspace, or that never existed, is not found', async () => {
  const other = await api.seedAnother();
  for (const [query, message] of [
    [`environment_id=${other.environmentId}`, 'Environment not found'],
    ['endpoint_id=ep_1', 'Endpoint not found'],
    ['application_id=app_1', 'Application not found'],
  ]) {
    const reply = await call('get', `/stats?${query}`);
    expect([reply.status, reply.body.error.message]).toEqual([404, message]);
  }
});

describe('the statistics of endpoints', () => {
  test('are in the list, its pages and the detail where they are asked for: 24 hours, the last results and the rate', async () => {
    const [whole, page] = await Promise.all([
      call('get', '/endpoints?include=stats'),
      call('get', '/endpoints?include=stats&limit=1'),
    ]);
    const { body } = await call('get', `/endpoints/${own}?include=stats`);
    expect([whole.body[0], page.body[0]]).toEqual([body, body]);
    const { hours, ...rest } = body.stats;
    expect(hours.length).toBe(24);
    expect(hours.filter((hour: { succeeded: number }) => hour.succeeded > 0)).toEqual([
      { at: new Date(nowMs).toISOString(), succeeded: 10, failed: 1 },
    ]);
    const at = new Date(nowMs).toISOString();
    expect(rest).toEqual({
      lastSuccessAt: at,
      lastFailureAt: at,
      failureRate: 1 / 11,
      isSubscribed: expect.any(Boolean),
    });
    expect((await call('get', `/endpoints/${own}`)).body).not.toHaveProperty('stats');
    expect((await call('get', '/endpoints')).body[0]).not.toHaveProperty('stats');
  });

  test('of an endpoint without an attempt are zeros', async () => {
    const { id } = (await call('post', '/endpoints', { url: 'https://127.0.0.1/quiet' })).body;
    const { stats } = (await call('get', `/endpoints/${id}?include=stats`)).body;
    expect(stats).toMatchObject({ lastSuccessAt: null, lastFailureAt: null, failureRate: 0, isSubscribed: false });
    const isSubscribed = async () => (await call('get', `/endpoints/${id}?include=stats`)).body.stats.isSubscribed;
    await call('post', '/event-types', { name: 'quiet.type' });
    await call('patch', `/endpoints/${id}`, { eventTypePatterns: ['quiet.*'] });
    expect(await isSubscribed()).toBe(true);
    expect(new Set(stats.hours.map((hour: { succeeded: number }) => hour.succeeded))).toEqual(new Set([0]));
  });

  test('need the capability deliveries:read in the portal; anything else to include is refused', async () => {
    const blind = await seedPortal(api.db, { ...api, ...portal, capabilities: ['endpoints:read'] });
    for (const path of [`/endpoints/${customers}`, '/endpoints']) {
      expect((await visit(`${path}?include=stats`, blind.portalToken)).status).toBe(403);
      expect((await visit(path, blind.portalToken)).status).toBe(200);
      expect((await visit(`${path}?include=stats`)).status).toBe(200);
    }
    expect((await call('get', '/endpoints?include=secret')).body.error.message).toBe('include must be stats');
  });
});

test('a session sees what a token sees', async () => {
  const { sessionToken } = await seedPerson(api.db, { ...api, role: 'viewer' });
  const session = createCaller(api.app, { base: `/api/workspaces/${api.workspaceId}`, token: sessionToken });
  expect((await session('get', '/stats')).body).toEqual((await call('get', '/stats')).body);
});

describe('the portal', () => {
  test('shows its application in its environment, and nothing else', async () => {
    expect((await visit('/stats')).body.totals).toMatchObject({ ingested: 1, attempts: 1, ended: 4 });
    expect((await visit('/stats?group_by=endpoint')).body.groups.map((group: { key: string }) => group.key)).toEqual([
      customers,
    ]);
    expect((await visit(`/stats?endpoint_id=${own}`)).status).toBe(404);
    const other = await seedPortal(api.db, api);
    expect((await visit(`/stats?application_id=${other.applicationId}`)).status).toBe(404);
    expect((await visit('/stats', other.portalToken)).body.totals).toMatchObject({ ingested: 0, attempts: 0 });
  });

  test('needs the capability deliveries:read', async () => {
    const blind = await seedPortal(api.db, { ...api, capabilities: ['endpoints:read'] });
    expect((await visit('/stats', blind.portalToken)).status).toBe(403);
  });
});

test('a filter by an application that is deleted still tells', async () => {
  const application = (await call('post', '/applications', { name: 'Gone' })).body.id;
  const body = { url: 'https://127.0.0.1/gone', environmentId: api.environmentId };
  const { id } = (await call('post', `/applications/${application}/endpoints`, body)).body;
  await count((gatherer) => gatherer.countEnded(factsOf(id, 'order.gone'), 'failed', 2));
  await call('delete', `/applications/${application}`);
  const { body: told } = await call('get', `/stats?application_id=${application}`);
  expect(told.totals).toMatchObject({ ended: 2 });
});

test('after an outage of ours, what waits in the scope is told: how much, how fast it is sent, and until when', async () => {
  const catchingUp = async (query = '') => (await call('get', `/stats${query}`)).body.catchingUp;
  expect(await catchingUp()).toBeNull();
  const keep = async (id: string, count: number) => {
    const endpointId = uuidOf('ep', id);
    const { workspaceId, environmentId } = await api.db.endpoint.findUniqueOrThrow({ where: { id: endpointId } });
    for (let n = 0; n < count; n += 1) {
      const { deliveryId } = await insertDelivery(
        api.db,
        { endpointId, workspaceId, environmentId },
        { dueInSeconds: -60 },
      );
      await findGap(api.db);
      await pacesOf(api.db, [endpointId], 2);
      await deferDeliveries(api.db, [{ deliveryId, delaySeconds: 0, entersLine: true }]);
    }
  };
  await keep(own, 3);
  await keep(customers, 1);
  expect(await catchingUp()).toEqual({ waiting: 4, perSecond: 10, endsAt: expect.stringMatching(/Z$/) });
  expect(await catchingUp(`?application_id=${portal.applicationId}`)).toMatchObject({ waiting: 1, perSecond: 5 });
  expect(await catchingUp(`?endpoint_id=${own}&group_by=status`)).toMatchObject({ waiting: 3, perSecond: 5 });
  expect((await visit('/stats')).body.catchingUp).toMatchObject({ waiting: 1 });
  await endCatchUp(api.db);
  expect(await catchingUp()).toBeNull();
});
