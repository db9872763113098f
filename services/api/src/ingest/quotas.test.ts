import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Plan } from '@posthorn/contract/access';
import { parsePlanLimits } from '@posthorn/ingest/quota-limits';
import { writeAttemptBytes } from '@posthorn/stats/attempt-bytes';
import type { SeededWorkspace } from '@posthorn/testkit/seed';
import { waitFor } from '@posthorn/testkit/wait-for';
import request from 'supertest';
import { type ApiOptions, type ApiUnderTest, startApi } from '../../test/api-under-test.ts';
import { type Caller, managementCaller } from '../../test/caller.ts';
import { uuidOf } from '../../test/people.ts';
import { runAdmin } from '../run-admin.ts';

const DAY_MS = 86_400_000;
const DAY_SECONDS = 86_400;

let first: ApiUnderTest;
/** A second process on the same stores. */
let second: ApiUnderTest;
let workspace: SeededWorkspace;
let call: Caller;
let offsetMs = 0;
beforeAll(async () => {
  const options: ApiOptions = {
    clock: { now: () => new Date(Date.now() + offsetMs), monotonicMs: () => performance.now() },
    rateLimits: { management: 0, ingest: 0 },
    quotas: {
      eventsPerDay: parsePlanLimits('free:3'),
      bytesKept: parsePlanLimits('free:100'),
      attemptBytesKept: parsePlanLimits('0'),
    },
  };
  first = await startApi(options);
  second = await startApi({ ...options, databaseUrl: first.databaseUrl, queue: first.queue });
});
afterAll(async () => {
  await second.stop();
  await first.stop();
});
beforeEach(() => begin());

async function begin(plan: Plan = 'enterprise'): Promise<void> {
  offsetMs = 0;
  workspace = await first.seedAnother({ plan });
  call = managementCaller(first.app, workspace);
  await call('post', '/event-types', { name: 'a.b', publishIn: [workspace.environmentId] });
}

const send = (body = '1', { by = first, key = '' } = {}) =>
  request(by.app)
    .post('/api/ingest/event/a.b')
    .set({ authorization: `Bearer ${workspace.apiKey}`, 'content-type': 'application/json' })
    .set(key === '' ? {} : { 'idempotency-key': key })
    .send(body);
const sendAll = async (count: number, body?: string) => {
  const replies = await Promise.all(Array.from({ length: count }, () => send(body)));
  return replies.map(({ status }) => status).sort();
};
const quotas = async () => (await call('get')).body.quotas;
const usage = (events: number, bytes: number) =>
  waitFor(
    async () => {
      const { eventsPerDay, bytesKept } = await quotas();
      return eventsPerDay.used === events && bytesKept.used === bytes;
    },
    { what: `a usage of ${events} events and ${bytes} bytes` },
  );

/** `posthorn-admin set-quotas` for the workspace, in effect for its key. */
async function setQuotas(...options: string[]): Promise<string> {
  const { slug } = await first.db.workspace.findUniqueOrThrow({ where: { id: uuidOf('ws', workspace.workspaceId) } });
  let output = '';
  const write = (text: string) => {
    output += text;
  };
  await runAdmin(['set-quotas', '--slug', slug, ...options], {
    environment: { DATABASE_URL: first.databaseUrl },
    readInput: async () => '',
    write,
    writeError: write,
  });
  return output;
}

test('the events of a day beyond the limit of the plan are rate_limited until the UTC day ends; a repeat is answered as before', async () => {
  await begin('free');
  const accepted = await send('1', { key: 'k1' });
  expect(await sendAll(4)).toEqual([202, 202, 429, 429]);
  const untilMidnight = () => DAY_SECONDS - Math.floor((Date.now() % DAY_MS) / 1_000);
  const before = untilMidnight();
  const refused = await send();
  expect(refused.body).toEqual({
    error: { code: 'rate_limited', message: 'This workspace may send 3 events a day (UTC)' },
  });
  expect(Number(refused.get('Retry-After'))).toBeLessThanOrEqual(before);
  expect(Number(refused.get('Retry-After'))).toBeGreaterThanOrEqual(untilMidnight() - 1);
  const repeated = await send('1', { key: 'k1' });
  expect([repeated.status, repeated.body]).toEqual([202, { ...accepted.body, duplicate: true }]);
  expect((await send('2', { key: 'k1' })).body.error.code).toBe('idempotency_conflict');
  await usage(3, 3);
  offsetMs = DAY_MS;
  expect((await send()).status).toBe(202);
});

test('of a batch the events within the limit are stored, and each other one is refused by itself', async () => {
  await begin('free');
  const events = Array.from({ length: 5 }, () => ({ eventType: 'a.b', data: 1 }));
  const reply = await request(first.app)
    .post('/api/ingest/batch')
    .set({ authorization: `Bearer ${workspace.apiKey}` })
    .send({ events });
  const codes = reply.body.results.map((one: { error?: { code: string } }) => one.error?.code ?? 'accepted');
  expect([reply.status, codes.sort()]).toEqual([202, [...Array(3).fill('accepted'), 'rate_limited', 'rate_limited']]);
});

test('what is refused for another reason takes no room', async () => {
  await setQuotas('--events-per-day', '1');
  for (const body of ['{', '"', '[']) expect((await send(body)).status).toBe(400);
  expect((await send()).status).toBe(202);
  expect((await send()).status).toBe(429);
});

test('the events of every API process count', async () => {
  await setQuotas('--events-per-day', '4');
  expect(await sendAll(3)).toEqual([202, 202, 202]);
  await usage(3, 3);
  expect((await send('1', { by: second })).status).toBe(202);
  expect((await send('1', { by: second })).status).toBe(429);
  await usage(4, 4);
  await waitFor(async () => (await send()).status === 429, { what: 'the first process to know' });
});

test('payloads beyond the bytes that may be kept are rate_limited for an hour, over days, until the retention has passed', async () => {
  await setQuotas('--bytes-kept', '100');
  const payload = `"${'x'.repeat(38)}"`;
  expect(await sendAll(3, payload)).toEqual([202, 202, 429]);
  const refused = await send(payload);
  expect([refused.get('Retry-After'), refused.body.error.message]).toEqual([
    '3600',
    'This workspace may keep 100 bytes of payloads; they are kept for the retention',
  ]);
  expect((await send(`"${'x'.repeat(18)}"`)).status).toBe(202);
  await usage(3, 100);
  offsetMs = DAY_MS;
  expect((await send(payload)).status).toBe(429);
  // An event without a body keeps no bytes.
  expect((await send('')).status).toBe(202);
  offsetMs = 8 * DAY_MS;
  expect((await send(payload)).status).toBe(202);
});

test('once the attempts keep as many bytes as they may, events are rate_limited for an hour, until the retention has passed', async () => {
  await setQuotas('--attempt-bytes-kept', '100');
  const keep = (bytes: number) => {
    const workspaceId = uuidOf('ws', workspace.workspaceId);
    const day = new Date(Date.now() + offsetMs).toISOString().slice(0, 10);
    return writeAttemptBytes(first.db, new Map([[day, new Map([[workspaceId, bytes]])]]));
  };
  await keep(99);
  expect((await send()).status).toBe(202);
  await keep(1);
  const refused = await waitFor(
    async () => {
      const reply = await send('');
      return reply.status === 429 && reply;
    },
    { what: 'the bytes to be known' },
  );
  expect([refused.get('Retry-After'), refused.body.error.message]).toEqual([
    '3600',
    'This workspace may keep 100 bytes of attempts; they are kept for the retention',
  ]);
  expect((await quotas()).attemptBytesKept).toEqual({ limit: 100, used: 100 });
  offsetMs = 8 * DAY_MS;
  expect((await send()).status).toBe(202);
});

test('posthorn-admin sets, lifts and resets the quotas of one workspace, within a second and with an audit entry', async () => {
  await begin('free');
  expect(JSON.parse(await setQuotas('--events-per-day', '1'))).toEqual({
    workspaceId: workspace.workspaceId,
    eventsPerDay: 1,
    bytesKept: null,
    attemptBytesKept: null,
  });
  expect(await sendAll(2)).toEqual([202, 429]);
  expect((await quotas()).eventsPerDay.limit).toBe(1);
  await setQuotas('--events-per-day', 'none', '--bytes-kept', '7000');
  await waitFor(async () => (await send()).status === 202, { what: 'the change to take effect', timeoutMs: 5_000 });
  expect(await quotas()).toMatchObject({ eventsPerDay: { limit: null }, bytesKept: { limit: 7_000 } });
  await setQuotas('--events-per-day', 'default', '--bytes-kept', 'default');
  expect(await quotas()).toMatchObject({ eventsPerDay: { limit: 3 }, bytesKept: { limit: 100 } });
  const entries = (await call('get', '/audit-logs')).body.data.filter(
    ({ action }: { action: string }) => action === 'workspace.updated',
  );
  expect(entries[1]).toMatchObject({
    actorType: 'system',
    metadata: { changes: { eventsPerDay: { from: 1, to: 0 }, bytesKept: { from: null, to: 7_000 } } },
  });
  expect(await setQuotas('--events-per-day', 'many')).toContain(
    'events-per-day must be a whole number, none or default',
  );
});

test('a workspace without limits is counted all the same, and the refusals of others are in the metrics', async () => {
  expect(await sendAll(5)).toEqual(Array(5).fill(202));
  await usage(5, 5);
  expect(await quotas()).toEqual({
    eventsPerDay: { limit: null, used: 5 },
    bytesKept: { limit: null, used: 5 },
    attemptBytesKept: { limit: null, used: 0 },
  });
  const metrics = await first.metrics.registry.metrics();
  expect(metrics).toMatch(/posthorn_quota_refusals_total\{quota="events_per_day"\} [1-9]/);
  expect(metrics).toMatch(/posthorn_quota_refusals_total\{quota="bytes_kept"\} [1-9]/);
});
