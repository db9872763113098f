import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Capability } from '@posthorn/contract/access';
import { sealContext } from '@posthorn/crypto/contexts';
import { open } from '@posthorn/crypto/seal';
import { digestToken, newToken, tokenPreview } from '@posthorn/crypto/token';
import { DOCTOR_CHECKS } from '@posthorn/destinations/examination';
import { waitFor } from '@posthorn/testkit/wait-for';
import { type ApiUnderTest, startApi } from '../../test/api-under-test.ts';
import { type Caller, codeOf, createCaller, managementCaller, tally } from '../../test/caller.ts';
import { seedPortal, uuidOf } from '../../test/people.ts';
import { type ProbeStandIn, takeProbes } from '../../test/probe-stand-in.ts';

const MAX_PAYLOAD_BYTES = 1_000;

let api: ApiUnderTest;
let call: Caller;
beforeAll(async () => {
  api = await startApi({ rateLimits: { management: 0, ingest: 0 }, maxPayloadBytes: MAX_PAYLOAD_BYTES });
  call = createCaller(api.app, { base: api.base, token: api.managementToken });
});
afterAll(() => api.stop());

let endpointId: string;
let dispatcher: ProbeStandIn | undefined;
beforeEach(async () => {
  endpointId = (await call('post', '/endpoints', { url: 'https://example.com/' })).body.id;
});
afterEach(async () => {
  await dispatcher?.close();
  dispatcher = undefined;
});

const send = (body?: unknown, id = endpointId) => call('post', `/endpoints/${id}/test`, body);
const examine = (id = endpointId) => call('post', `/endpoints/${id}/doctor`);

async function sentTest(body?: unknown) {
  const reply = await send(body);
  expect([reply.status, reply.body.error]).toEqual([200, undefined]);
  const { deliveries } = (await call('get', `/endpoints/${endpointId}/deliveries`)).body;
  const [delivery] = deliveries;
  const detail = await call('get', `/deliveries/${delivery.id}?include=payload,attempts`);
  return { attempt: reply.body, detail: detail.body };
}

async function entriesOf(action: string) {
  const { data } = (await call('get', `/audit-logs?action=${action}`)).body;
  return data.filter((entry: { resourceId: string }) => entry.resourceId === endpointId);
}

/** The ids that the API tells live streams of from now on, as `event …` and `delivery …`. */
function recordLive({ services: { live } } = api): string[] {
  const told: string[] = [];
  live.eventAccepted = ({ eventId }) => void told.push(`event ${eventId}`);
  live.deliveryChanged = ({ deliveryId }) => void told.push(`delivery ${deliveryId}`);
  return told;
}

/** A probe that has begun and ends when the test says so. */
function createHold() {
  let end = () => {};
  const held = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { hold: () => held, end };
}

describe('a test', () => {
  test('is answered with its attempt, and its delivery is marked as a test', async () => {
    dispatcher = takeProbes(api);
    const { attempt, detail } = await sentTest({ payload: { a: 1 } });
    expect(attempt).toMatchObject({ trigger: 'test', outcome: 'success', number: 1, requestBody: null });
    expect(detail).toMatchObject({ isTest: true, status: 'delivered', totalAttempts: 1, eventTypeName: null });
    expect(detail.attempts).toEqual([attempt]);
  });

  test('sends the payload as its bytes were written, a number beyond a double included', async () => {
    dispatcher = takeProbes(api);
    const { detail } = await sentTest('{ "payload" : { "b": 1,  "2": 12345678901234567890 } }');
    expect(detail.payload).toMatchObject({ contentType: 'application/json' });
    expect(detail.payload.body).toBe('{ "b": 1,  "2": 12345678901234567890 }');
  });

  test.each(['null', '"text"', '[]', '0'])('sends %s when that is the payload', async (payload) => {
    dispatcher = takeProbes(api);
    const { detail } = await sentTest(`{"payload":${payload}}`);
    expect(detail.payload.body).toBe(payload);
  });

  test('takes a payload of the size that an event may have, and no larger one', async () => {
    dispatcher = takeProbes(api);
    const largest = { payload: 'x'.repeat(MAX_PAYLOAD_BYTES - 2) };
    expect((await sentTest(largest)).detail.payload.size).toBe(MAX_PAYLOAD_BYTES);
    const stored = await api.db.event.count();
    const reply = await send({ payload: `${largest.payload}x` });
    expect([reply.status, reply.body.error]).toEqual([
      413,
      { code: 'payload_too_large', message: 'payload must be at most 1,000 bytes' },
    ]);
    expect(await api.db.event.count()).toBe(stored);
  });

  test('sends the example of its event type, and a payload of the service without one', async () => {
    dispatcher = takeProbes(api);
    const { id } = (await call('post', '/event-types', { name: 'order.paid' })).body;
    expect((await sentTest({ eventTypeId: id })).detail.payload.body).toMatch(/^{"type":"posthorn.test","timestamp":"/);
    await api.db.eventType.update({ where: { id: uuidOf('evt', id) }, data: { example: { orderId: 'A-17' } } });
    const { detail } = await sentTest({ eventTypeId: id });
    expect(detail).toMatchObject({ eventTypeName: 'order.paid', payload: { body: '{"orderId":"A-17"}' } });
    expect((await sentTest()).detail.payload.body).toMatch(/^{"type":"posthorn.test"/);
  });

  test('leaves no payload in the queue: the job has ids only, and the stored event is sealed', async () => {
    dispatcher = takeProbes(api);
    const { detail } = await sentTest({ payload: 'canary-4242' });
    expect(Object.keys(dispatcher.jobs[0] ?? {}).sort()).toEqual([
      'beginsByMs',
      'deliveryId',
      'endpointId',
      'endsByMs',
      'eventId',
      'kind',
      'probeId',
      'replyTo',
      'workspaceId',
    ]);
    const event = await api.db.event.findUniqueOrThrow({ where: { id: uuidOf('msg', detail.eventId) } });
    expect(event).toMatchObject({ isTest: true, endpointId: uuidOf('ep', endpointId) });
    expect(Buffer.from(event.payload ?? []).toString('latin1')).not.toContain('canary');
    const opened = open(api.services.sealingKeys, event.payload ?? Buffer.alloc(0), sealContext.payload(event.id));
    expect(opened).toMatchObject({ kind: 'opened', plaintext: Buffer.from('"canary-4242"') });
  });

  test('is entered in the audit log once, with its delivery', async () => {
    dispatcher = takeProbes(api);
    const { detail } = await sentTest({ payload: 1 });
    expect(await entriesOf('endpoint.tested')).toMatchObject([
      { action: 'endpoint.tested', metadata: { changes: { deliveryId: { from: null, to: detail.id } } } },
    ]);
  });

  test('whose answer shows what may hold the payload is entered as a view of it, also in the portal', async () => {
    dispatcher = takeProbes(api);
    const playground = (await call('post', '/endpoints', { type: 'playground' })).body.id;
    const { portalToken: token, applicationId } = await seedPortal(api.db, api);
    const portal = createCaller(api.app, { base: '/api/portal', token });
    // A portal may not create one, unless the operator lists the type.
    const ofApplication = `/applications/${applicationId}/endpoints`;
    const ofPortal = (await call('post', ofApplication, { type: 'playground' })).body.id;
    for (const [by, id, actorType] of [
      [call, playground, 'management_token'],
      [portal, ofPortal, 'portal_session'],
    ] as const) {
      const attempt = (await by('post', `/endpoints/${id}/test`)).body;
      expect(attempt.requestBody).toBe(Buffer.from('{}').toString('base64'));
      const delivery = (await call('get', `/endpoints/${id}/deliveries`)).body.deliveries[0].id;
      const { data } = (await call('get', '/audit-logs?action=payload.viewed')).body;
      const entries = data.filter((entry: { resourceId: string }) => entry.resourceId === delivery);
      expect(entries).toMatchObject([{ actorType }]);
    }
    const capabilities = ['endpoints:write', 'events:test'] as const;
    const seeded = await seedPortal(api.db, { ...api, capabilities });
    const blind = createCaller(api.app, { base: '/api/portal', token: seeded.portalToken });
    const id = (await call('post', `/applications/${seeded.applicationId}/endpoints`, { type: 'playground' })).body.id;
    const before = await api.db.auditEntry.count({ where: { action: 'payload.viewed' } });
    const attempt = (await blind('post', `/endpoints/${id}/test`)).body;
    expect(attempt).toMatchObject({ requestBody: null, responseHeaders: null, responseHidden: true });
    expect(await api.db.auditEntry.count({ where: { action: 'payload.viewed' } })).toBe(before);
  });

  test('cannot be retried', async () => {
    dispatcher = takeProbes(api);
    const { detail } = await sentTest();
    expect(codeOf(await call('post', `/deliveries/${detail.id}/retry`))).toBe('validation_error');
  });

  test.each([
    ['an unknown event type', { eventTypeId: 'evt_01jczhk8m3fd8tqv5x0w2b9n4e' }],
    ['a malformed event type', { eventTypeId: 'nonsense' }],
  ])('with %s is not_found, and nothing is stored', async (_name, body) => {
    expect(codeOf(await send(body))).toBe('not_found');
    expect(await api.db.delivery.count({ where: { endpointId: uuidOf('ep', endpointId) } })).toBe(0);
  });

  test('docs/interface.md, Live view: live streams are told of its event and its delivery', async () => {
    dispatcher = takeProbes(api);
    const told = recordLive();
    const { detail } = await sentTest();
    expect(told).toEqual([`event ${uuidOf('msg', detail.eventId)}`, `delivery ${uuidOf('dlv', detail.id)}`]);
  });

  test('without a dispatcher is unavailable after its window, and is never sent later', async () => {
    const { databaseUrl, queue, base, managementToken: token } = api;
    const impatient = await startApi({ databaseUrl, queue, timing: { probeBeginsWithinMs: 500 } });
    const told = recordLive(impatient);
    const askImpatient = createCaller(impatient.app, { base, token });
    const reply = await askImpatient('post', `/endpoints/${endpointId}/test`, { payload: 1 });
    await impatient.stop();
    expect([reply.status, reply.body.error.code, reply.headers['retry-after']]).toEqual([503, 'unavailable', '5']);
    expect(reply.body.error.message).toContain('nothing was sent');
    const [event, delivery, ...cancelled] = told;
    expect(event).toMatch(/^event /);
    expect(cancelled).toEqual([delivery]);
    dispatcher = takeProbes(api);
    expect((await send({ payload: 2 })).status).toBe(200);
    const rows = await api.db.delivery.findMany({
      where: { endpointId: uuidOf('ep', endpointId) },
      orderBy: { id: 'asc' },
    });
    expect(rows.map(({ status, failureReason }) => [status, failureReason])).toEqual([
      ['failed', 'cancelled'],
      ['delivered', null],
    ]);
  });
});

describe('limits', () => {
  test('an endpoint has at most 5 tests at once; another endpoint and another workspace are not held up', async () => {
    const { hold, end } = createHold();
    dispatcher = takeProbes(api, hold);
    const others = await api.seedAnother();
    const otherCall = managementCaller(api.app, others);
    const foreign = (await otherCall('post', '/endpoints', { url: 'https://example.com/' })).body.id;
    const second = (await call('post', '/endpoints', { url: 'https://example.com/' })).body.id;
    const replies = Array.from({ length: 7 }, () => send().then(codeOf));
    await waitFor(() => dispatcher?.jobs.length === 5, { what: 'five tests to begin' });
    const more = [send(undefined, second), otherCall('post', `/endpoints/${foreign}/test`)].map((sent) =>
      sent.then(codeOf),
    );
    await waitFor(() => dispatcher?.jobs.length === 7, { what: 'the tests of the others to begin' });
    end();
    expect(tally(await Promise.all(replies))).toEqual({ 200: 5, rate_limited: 2 });
    expect(await Promise.all(more)).toEqual([200, 200]);
    expect((await send()).status).toBe(200);
  });

  test('a workspace has at most 10 probes at once', async () => {
    const { hold, end } = createHold();
    dispatcher = takeProbes(api, hold);
    const ids = [endpointId];
    for (let n = 0; n < 2; n += 1)
      ids.push((await call('post', '/endpoints', { url: 'https://example.com/' })).body.id);
    const sent = ids.flatMap((id) => Array.from({ length: 4 }, () => send(undefined, id).then(codeOf)));
    await waitFor(() => dispatcher?.jobs.length === 10, { what: 'ten tests to begin' });
    end();
    expect(tally(await Promise.all(sent))).toEqual({ 200: 10, rate_limited: 2 });
  });
});

describe('an examination', () => {
  test('is answered with the report of the dispatcher, and entered in the audit log', async () => {
    dispatcher = takeProbes(api);
    const reply = await examine();
    expect([reply.status, reply.body.endpointId, reply.body.verdict]).toEqual([200, endpointId, 'healthy']);
    expect(reply.body.checks).toHaveLength(DOCTOR_CHECKS.length);
    expect(await entriesOf('endpoint.examined')).toHaveLength(1);
  });

  test('of an endpoint whose secrets cannot be decrypted says so, and of one that is deleted meanwhile is not_found', async () => {
    dispatcher = takeProbes(
      api,
      async () => {},
      () => null,
    );
    const reply = await examine();
    expect([reply.status, reply.body.error, reply.headers['retry-after']]).toEqual([
      503,
      {
        code: 'unavailable',
        message: 'No request can be made to the endpoint: its secrets cannot be decrypted with SEALING_KEYS',
      },
      '10',
    ]);
    await dispatcher.close();
    const { body } = await call('post', '/endpoints', { url: 'https://example.com/' });
    const remove = async () => void (await call('delete', `/endpoints/${body.id}`));
    dispatcher = takeProbes(api, remove, () => null);
    expect(codeOf(await examine(body.id))).toBe('not_found');
  });

  test('needs read alone', async () => {
    dispatcher = takeProbes(api);
    const token = newToken('management');
    const stored = { id: randomUUID(), name: 'Reader', digest: digestToken(token), preview: tokenPreview(token) };
    const workspaceId = uuidOf('ws', api.workspaceId);
    await api.db.managementToken.create({ data: { ...stored, workspaceId, scopes: ['read'] } });
    const reader = createCaller(api.app, { base: api.base, token });
    expect(codeOf(await reader('post', `/endpoints/${endpointId}/test`))).toBe('forbidden');
    expect((await reader('post', `/endpoints/${endpointId}/doctor`)).status).toBe(200);
  });

  test('of an endpoint runs once at a time and once in 10 s, and the refusal says how long to wait', async () => {
    const { hold, end } = createHold();
    dispatcher = takeProbes(api, hold);
    const first = examine().then((reply) => reply.status);
    await waitFor(() => dispatcher?.jobs.length === 1, { what: 'the examination to begin' });
    expect(codeOf(await examine())).toBe('rate_limited');
    end();
    expect(await first).toBe(200);
    const again = await examine();
    expect(codeOf(again)).toBe('rate_limited');
    expect(Number(again.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(again.headers['retry-after'])).toBeLessThanOrEqual(10);
  });

  test('of a playground is refused', async () => {
    const { id } = (await call('post', '/endpoints', { type: 'playground' })).body;
    const reply = await examine(id);
    expect([codeOf(reply), reply.body.error.message]).toEqual([
      'validation_error',
      'A playground cannot be examined: it has no server',
    ]);
  });
});

describe('in the portal', () => {
  test.each(['test', 'doctor'])('%s needs the capability events:test', async (operation) => {
    dispatcher = takeProbes(api);
    const open = async (capabilities: readonly Capability[]) => {
      const { portalToken, applicationId } = await seedPortal(api.db, { ...api, capabilities });
      const own = await call('post', `/applications/${applicationId}/endpoints`, { url: 'https://example.com/' });
      const caller = createCaller(api.app, { base: '/api/portal', token: portalToken });
      const reply = await caller('post', `/endpoints/${own.body.id}/${operation}`);
      const foreign = await caller('post', `/endpoints/${endpointId}/${operation}`);
      return [codeOf(reply), codeOf(foreign)];
    };
    expect(await open(['events:test'])).toEqual([200, 'not_found']);
    expect(await open(['endpoints:read', 'endpoints:write'])).toEqual(['forbidden', 'forbidden']);
  });

  test('one probe of a portal runs at once, five of all portals, and the workspace has the rest', async () => {
    const { hold, end } = createHold();
    dispatcher = takeProbes(api, hold);
    const portals = [];
    for (let n = 0; n < 6; n += 1) {
      const { portalToken, applicationId } = await seedPortal(api.db, { ...api, capabilities: ['events:test'] });
      const url = 'https://example.com/';
      const { id } = (await call('post', `/applications/${applicationId}/endpoints`, { url })).body;
      const caller = createCaller(api.app, { base: '/api/portal', token: portalToken });
      portals.push({ test: () => caller('post', `/endpoints/${id}/test`).then(codeOf) });
    }
    const first = portals[0]?.test();
    await waitFor(() => dispatcher?.jobs.length === 1, { what: 'the test of a portal to begin' });
    expect(await portals[0]?.test()).toBe('rate_limited');
    const others = portals.slice(1, 5).map(({ test }) => test());
    await waitFor(() => dispatcher?.jobs.length === 5, { what: 'five tests of portals to begin' });
    expect(await portals[5]?.test()).toBe('rate_limited');
    const ofWorkspace = Array.from({ length: 5 }, () => send().then(codeOf));
    await waitFor(() => dispatcher?.jobs.length === 10, { what: 'five tests of the workspace to begin' });
    end();
    expect(tally(await Promise.all(others))).toEqual({ 200: 4 });
    expect(await first).toBe(200);
    expect(tally(await Promise.all(ofWorkspace))).toEqual({ 200: 5 });
    expect(await portals[5]?.test()).toBe(200);
  });

  test('a test sends the example of a published event type only', async () => {
    dispatcher = takeProbes(api);
    const { portalToken, applicationId } = await seedPortal(api.db, { ...api, capabilities: ['events:test'] });
    const own = await call('post', `/applications/${applicationId}/endpoints`, { url: 'https://example.com/' });
    const caller = createCaller(api.app, { base: '/api/portal', token: portalToken });
    const { id: eventTypeId } = (await call('post', '/event-types', { name: 'plan.unreleased', example: { a: 1 } }))
      .body;
    expect(codeOf(await caller('post', `/endpoints/${own.body.id}/test`, { eventTypeId }))).toBe('not_found');
    await call('put', `/environments/${api.environmentId}/event-types/${eventTypeId}/visibility`, { published: true });
    expect(codeOf(await caller('post', `/endpoints/${own.body.id}/test`, { eventTypeId }))).toBe(200);
  });
});
