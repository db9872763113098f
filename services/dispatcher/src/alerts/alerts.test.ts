import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import { LIMITS } from '@posthorn/contract/limits';
import { sealContext } from '@posthorn/crypto/contexts';
import { parseSealingKeys, seal } from '@posthorn/crypto/seal';
import { readAlertError } from '@posthorn/db/alert-error';
import type { Db } from '@posthorn/db/client';
import type { Sender } from '@posthorn/destinations/kind';
import { openMail } from '@posthorn/mail/outgoing-mail';
import { systemClock } from '@posthorn/runtime/clock';
import { createTestDatabase, type TestDatabase } from '@posthorn/testkit/database';
import { type EndpointRow, insertDelivery, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { waitFor } from '@posthorn/testkit/wait-for';
import { openLoopbackSender } from '../../test/loopback-sender.ts';
import { createMetrics } from '../metrics.ts';
import { createGather } from './gather.ts';
import { createSendAlerts, type SendAlertsDeps } from './send-alerts.ts';
import type { Subject } from './subjects.ts';
import { tellDue } from './tell.ts';

const keys = parseSealingKeys(`test:${randomBytes(32).toString('base64')}`);
const DEAD = 'posthorn.delivery.dead_letter';

let database: TestDatabase;
let db: Db;
let receiver: Receiver;
let sender: Sender;
let endpoint: EndpointRow;
let deps: SendAlertsDeps;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
  receiver = await startReceiver();
  sender = openLoopbackSender(receiver);
  const baseUrl = 'https://hooks.example.com';
  deps = { db, keys, clock: systemClock, sender, baseUrl, metrics: createMetrics(), logger: { warn: () => {} } };
});
afterAll(async () => {
  sender.close();
  await receiver.close();
  await database.drop();
});
beforeEach(async () => {
  await Promise.all([db.raisedAlert.deleteMany(), db.alertRule.deleteMany()]);
  receiver.requests.length = 0;
  receiver.respondWith(() => ({}));
  endpoint = await insertEndpoint(db);
});

type Given = { channel?: string; target?: string; events?: string[]; of?: EndpointRow } & Record<string, unknown>;

async function addRule({
  channel = 'slack',
  target = receiver.url,
  events = [DEAD],
  of = endpoint,
  ...more
}: Given = {}) {
  const id = newUuid(new Date());
  const targetSealed = new Uint8Array(seal(keys, Buffer.from(target), sealContext.alertTarget(id)));
  const shared = { name: 'On call', targetShown: 'x', quietMinutes: 60, confirmedAt: new Date() };
  await db.alertRule.create({
    data: { id, workspaceId: of.workspaceId, channel, targetSealed, events, ...shared, ...more },
  });
  return id;
}

async function fail(status: 'failed' | 'dead_letter' = 'dead_letter', of = endpoint) {
  const { deliveryId } = await insertDelivery(db, of);
  await db.delivery.update({ where: { id: deliveryId }, data: { status, failureReason: 'retries_exhausted' } });
}

/** The steps that every dispatcher repeats: gather, tell, send. */
async function round() {
  await createGather({ db, gatherMs: 0 })();
  await tellDue(db, systemClock);
  const sending = createSendAlerts(deps);
  await sending.round();
  await sending.drain();
}

const texts = () => receiver.requests.map(({ body }) => String(JSON.parse(body.toString()).text));
const ruleOf = (id: string) => db.alertRule.findUniqueOrThrow({ where: { id } });

test('a rule alone is enough: no event type is published, and the message names the endpoint and its customer', async () => {
  const applicationId = newUuid(new Date());
  const { workspaceId, endpointId } = endpoint;
  await db.application.create({ data: { id: applicationId, workspaceId, name: 'Acme <b>' } });
  await db.endpoint.update({ where: { id: endpointId }, data: { applicationId } });
  const rule = await addRule();
  await fail();
  await round();
  expect(await db.operationalEvent.count()).toBe(0);
  expect(texts()).toEqual([
    expect.stringContaining('A delivery to endpoint https://receiver.test/ of Acme &lt;b&gt; was given up'),
  ]);
  expect(texts()[0]).toMatch(/<https:\/\/hooks\.example\.com\/w\/[^|]+\|Open>/);
  expect(await ruleOf(rule)).toMatchObject({ lastSentAt: expect.any(Date), lastError: null });
});

test('without a rule, or with one of another event, application or environment, nothing is raised', async () => {
  const { workspaceId } = endpoint;
  const other = await insertEndpoint(db);
  const application = await db.application.create({ data: { id: newUuid(new Date()), workspaceId, name: 'Other' } });
  await addRule({ events: ['posthorn.endpoint.failing'] });
  await addRule({ applicationId: application.id });
  await addRule({ environmentId: other.environmentId });
  await addRule({ of: other });
  await fail();
  expect(await db.raisedAlert.count()).toBe(0);
});

test('a rule sends one message of a kind in its quiet time, and then what happened meanwhile', async () => {
  await addRule({ events: [DEAD, 'posthorn.delivery.failed'] });
  await fail();
  await round();
  await fail();
  await fail();
  await fail('failed');
  await round();
  await round();
  expect(texts()).toEqual([expect.stringContaining('A delivery to'), expect.stringContaining('ended early')]);
  await db.$executeRaw`update alert_state set due_at = now(), quiet_until = now() where due_at is not null`;
  await round();
  expect(texts()).toHaveLength(3);
  expect(texts()[2]).toContain('2 deliveries to endpoint https://receiver.test/ were given up');
});

test('a rule that has moved to another application tells nothing of the former one', async () => {
  const { workspaceId, environmentId } = endpoint;
  const [former, present] = [newUuid(new Date()), newUuid(new Date())];
  for (const id of [former, present]) await db.application.create({ data: { id, workspaceId, name: 'Acme' } });
  const rule = await addRule({ applicationId: former });
  await db.endpoint.update({ where: { id: endpoint.endpointId }, data: { applicationId: former } });
  await fail();
  await createGather({ db, gatherMs: 0 })();
  await db.alertRule.update({ where: { id: rule }, data: { applicationId: present } });
  await round();
  expect(receiver.requests).toEqual([]);
  expect([await db.outgoingAlert.count(), (await ruleOf(rule)).lastSentAt]).toEqual([0, null]);
  const id = newUuid(new Date());
  await db.endpoint.create({
    data: { id, workspaceId, environmentId, applicationId: present, url: 'https://receiver.test/present' },
  });
  await fail('dead_letter', { ...endpoint, endpointId: id });
  await createGather({ db, gatherMs: 0 })();
  await db.$executeRaw`update alert_state set due_at = now(), quiet_until = now() where due_at is not null`;
  await round();
  expect(texts()).toEqual([expect.stringContaining('https://receiver.test/present')]);
});

test('one message names ten endpoints, and counts every other one with its customer', async () => {
  await addRule();
  const { workspaceId, environmentId } = endpoint;
  const [acme, beta] = [newUuid(new Date()), newUuid(new Date())];
  await db.application.create({ data: { id: acme, workspaceId, name: 'Acme' } });
  await db.application.create({ data: { id: beta, workspaceId, name: 'Beta' } });
  for (let n = 0; n < 45; n += 1) {
    const id = newUuid(new Date());
    const applicationId = n < 12 ? null : n < 42 ? acme : beta;
    const url = `https://receiver.test/${n}`;
    await db.endpoint.create({ data: { id, workspaceId, environmentId, applicationId, url } });
    await fail('dead_letter', { ...endpoint, endpointId: id });
    // A repetition for the same endpoint is counted once.
    if (n === 44) await fail('dead_letter', { ...endpoint, endpointId: id });
  }
  await round();
  expect(texts()).toHaveLength(1);
  expect(texts()[0]?.match(/https:\/\/receiver\.test\/\d/g)).toHaveLength(10);
  expect(texts()[0]).toContain('And 35 more: 30 of Acme, 3 of Beta.');
});

test('100,000 alerts at once are one message for each rule and kind, also with several dispatchers', async () => {
  for (let n = 0; n < 5; n += 1) await addRule({ name: `Rule ${n}` });
  const { workspaceId, environmentId, endpointId } = endpoint;
  await db.$executeRaw`
    insert into raised_alert (workspace_id, environment_id, endpoint_id, event_type, facts)
    select ${workspaceId}::uuid, ${environmentId}::uuid, ${endpointId}::uuid, ${DEAD}, '{}' from generate_series(1, 100000)`;
  const gathers = [createGather({ db, gatherMs: 0 }), createGather({ db, gatherMs: 0 })];
  while ((await db.raisedAlert.count()) > 0) {
    await Promise.all(gathers.map((gather) => gather()));
    await Promise.all([tellDue(db, systemClock), tellDue(db, systemClock)]);
  }
  const sending = [createSendAlerts(deps), createSendAlerts(deps)];
  const sent = async () => {
    await Promise.all(sending.map((one) => one.round()));
    await Promise.all(sending.map((one) => one.drain()));
    return (await db.outgoingAlert.count()) === 0;
  };
  await waitFor(sent, { what: 'every message to be sent' });
  expect(receiver.requests).toHaveLength(5);
  const states = await db.alertState.findMany();
  const waiting = states.map(({ occurrences, subjects }) => [Number(occurrences), (subjects as Subject[]).length]);
  expect(states).toHaveLength(5);
  for (const [occurrences, subjects] of waiting) {
    expect([Number(occurrences) > 0, subjects]).toEqual([true, 1]);
  }
}, 120_000);

test('what is gathered while a message is told is in this message or in the next one', async () => {
  const ruleId = await addRule({ quietMinutes: 0 });
  await db.alertState.create({ data: { ruleId, eventType: DEAD, workspaceId: endpoint.workspaceId } });
  // Thousands of workspaces whose alerts are not due yet: choosing what is due takes a while.
  await db.$executeRaw`
    with w as (
      insert into workspace (id, name, slug, plan) select u, 'Other', u::text, plan
      from workspace, lateral (select gen_random_uuid() as u from generate_series(1, 2000)) g
      where id = ${endpoint.workspaceId}::uuid returning id
    ), r as (
      insert into alert_rule (id, workspace_id, name, channel, target_sealed, target_shown, events, quiet_minutes)
      select gen_random_uuid(), id, 'Other', 'slack', '', 'x', '{}', 60 from w returning id, workspace_id
    ) insert into alert_state (rule_id, event_type, workspace_id, due_at)
      select id, ${DEAD}, workspace_id, now() + interval '1 day' from r`;
  let gathered = 0;
  let isOver = false;
  // As a round of another dispatcher gathers.
  const gathering = (async () => {
    for (; !isOver; gathered += 1) {
      await db.$executeRaw`
        update alert_state set occurrences = occurrences + 1, first_at = coalesce(first_at, now()),
          due_at = coalesce(due_at, now() - interval '1 hour')
        where rule_id = ${ruleId}::uuid`;
    }
  })();
  for (let n = 0; n < 20; n += 1) await tellDue(db, systemClock);
  isOver = true;
  await gathering;
  const told = await db.outgoingAlert.findMany({ where: { ruleId } });
  const occurrences = told.map(({ content }) => (content as { occurrences: number }).occurrences);
  const left = await db.alertState.findFirstOrThrow({ where: { ruleId } });
  expect(occurrences.length).toBeGreaterThan(1);
  expect(occurrences.reduce((sum, one) => sum + one, Number(left.occurrences))).toBe(gathered);
});

test('messages that are due at once are written one after the other, so that they leave connections to deliveries', async () => {
  for (let n = 0; n < 5; n += 1) {
    const of = await insertEndpoint(db);
    await addRule({ of, channel: 'email', target: `on-call-${n}@example.com` });
    await fail('dead_letter', of);
  }
  await createGather({ db, gatherMs: 0 })();
  await tellDue(db, systemClock);
  const steps: string[] = [];
  const watched = db.$extends({
    query: {
      alertRule: {
        async $allOperations({ operation, args, query }) {
          steps.push(operation);
          return query(args);
        },
      },
    },
  });
  await createSendAlerts({ ...deps, db: watched as unknown as Db }).round();
  // Each message is read and marked as sent before the next one is read.
  expect(steps).toEqual(Array.from({ length: 5 }, () => ['findUnique', 'updateMany']).flat());
});

test('a target that hangs holds up neither the targets of others nor more than three messages of its workspace', async () => {
  const hanging: (() => void)[] = [];
  receiver.respondWith(({ url }) =>
    url === '/hangs' ? new Promise((resolve) => hanging.push(() => resolve({}))) : {},
  );
  for (let n = 0; n < 8; n += 1) await addRule({ target: new URL('/hangs', receiver.url).href });
  const other = await insertEndpoint(db);
  await addRule({ of: other });
  await fail();
  await fail('dead_letter', other);
  await createGather({ db, gatherMs: 0 })();
  await tellDue(db, systemClock);
  const sending = [createSendAlerts(deps), createSendAlerts(deps)];
  for (const one of sending) await one.round();
  await waitFor(() => receiver.requests.some(({ url }) => url === '/'), { what: 'the message of the other workspace' });
  await waitFor(() => hanging.length === 3, { what: 'three messages under way' });
  for (const one of sending) await one.round();
  expect(receiver.requests.filter(({ url }) => url === '/hangs')).toHaveLength(3);
  for (const end of hanging) end();
  for (const one of sending) await one.drain();
});

test('a target that hangs, with messages of several kinds, holds up no other target of its workspace', async () => {
  const hanging: (() => void)[] = [];
  receiver.respondWith(({ url }) =>
    url === '/hangs' ? new Promise((resolve) => hanging.push(() => resolve({}))) : {},
  );
  const slow = await addRule({ target: new URL('/hangs', receiver.url).href });
  const { workspaceId } = endpoint;
  const kinds = [DEAD, 'posthorn.delivery.failed', 'posthorn.endpoint.failing', 'posthorn.endpoint.disabled'];
  const content = { subjects: [], occurrences: 1, firstAt: '' };
  await db.outgoingAlert.createMany({
    data: kinds.map((eventType) => ({ id: newUuid(new Date()), ruleId: slow, workspaceId, eventType, content })),
  });
  await addRule();
  await fail();
  await createGather({ db, gatherMs: 0 })();
  await tellDue(db, systemClock);
  const sending = [createSendAlerts(deps), createSendAlerts(deps)];
  for (const one of sending) await one.round();
  await waitFor(() => receiver.requests.some(({ url }) => url === '/'), { what: 'the message to the other target' });
  await waitFor(() => hanging.length === 1, { what: 'the message that hangs' });
  for (const one of sending) await one.round();
  expect(receiver.requests.filter(({ url }) => url === '/hangs')).toHaveLength(1);
  for (const end of hanging) end();
  for (const one of sending) await one.drain();
});

test('thousands of messages of one workspace, due for longer, hold up no other workspace', async () => {
  receiver.respondWith(() => ({}));
  const other = await insertEndpoint(db);
  const many = [await addRule(), await addRule(), await addRule()];
  const one = await addRule({ of: other });
  const message = (ruleId: string, workspaceId: string, dueAt: Date) => ({
    ...{ id: newUuid(new Date()), ruleId, workspaceId, dueAt, eventType: 'test', content: {} },
  });
  const anHourAgo = new Date(Date.now() - 3_600_000);
  await db.outgoingAlert.createMany({
    data: Array.from({ length: 1_500 }, (_, n) => message(many[n % 3] ?? '', endpoint.workspaceId, anHourAgo)),
  });
  await db.outgoingAlert.createMany({ data: [message(one, other.workspaceId, new Date())] });
  const sending = createSendAlerts(deps);
  await sending.round();
  await sending.drain();
  expect(await db.outgoingAlert.count({ where: { ruleId: one } })).toBe(0);
  expect(await db.outgoingAlert.count({ where: { ruleId: { in: many } } })).toBe(1_497);
  await db.outgoingAlert.deleteMany();
});

test.each([
  [503, 'later'],
  [429, 'later'],
  [404, 'refused'],
  [302, 'refused'],
])('an answer %i means %s, and the rule says why', async (status, kind) => {
  receiver.respondWith(() => ({ status }));
  const rule = await addRule();
  await fail();
  await round();
  expect((await ruleOf(rule)).lastError).toBe(`The target answered ${status}`);
  const [message] = await db.outgoingAlert.findMany({ where: { ruleId: rule } });
  expect(message?.attempts).toBe(kind === 'later' ? 1 : undefined);
  if (message === undefined) return;
  receiver.respondWith(() => ({}));
  await db.$executeRaw`update outgoing_alert set due_at = now()`;
  await round();
  expect([await db.outgoingAlert.count(), (await ruleOf(rule)).lastError]).toEqual([0, null]);
});

test('a target at a forbidden address is not connected to', async () => {
  const rule = await addRule({ target: 'https://10.0.0.1/' });
  await fail();
  await round();
  expect((await ruleOf(rule)).lastError).toMatch(/address/);
  expect(await db.outgoingAlert.count()).toBe(0);
});

test('a mail is queued sealed, for a member or a confirmed address only', async () => {
  const target = 'ann@example.com';
  const confirmed = await addRule({ channel: 'email', target });
  const unconfirmed = await addRule({ channel: 'email', target, confirmedAt: null, confirmDigest: new Uint8Array(32) });
  const former = await addRule({ channel: 'email', target, confirmedAt: null });
  await fail();
  await round();
  const mails = await db.outgoingMail.findMany();
  expect(mails.map(({ ruleId, kind }) => [ruleId, kind])).toEqual([[confirmed, 'alert']]);
  const [{ id = '', content } = {}] = mails;
  const mail = openMail(keys, id, content ?? new Uint8Array());
  expect(mail).toMatchObject({ to: target, subject: 'Deliveries were given up' });
  expect(mail?.text.replaceAll('\u200b', '')).toContain('endpoint https://receiver.test/ was given up');
  expect(mail?.text).not.toContain('https://receiver.test');
  expect(mail?.stopUrl).toMatch(/^https:\/\/hooks\.example\.com\/stop-alerts\?token=/);
  expect(await db.alertState.count({ where: { ruleId: unconfirmed } })).toBe(0);
  expect((await ruleOf(former)).lastError).toContain('no member');
});

test('alerts are mailed up to the quota of the owner of all the workspaces, and the rule says that no more are', async () => {
  await db.outgoingMail.deleteMany();
  const of = await insertEndpoint(db);
  const createdBy = newUuid(new Date());
  await db.workspace.updateMany({
    where: { id: { in: [of.workspaceId, endpoint.workspaceId] } },
    data: { createdBy },
  });
  const mailed = { kind: 'alert', workspaceId: endpoint.workspaceId, ownerId: createdBy, dueAt: null };
  const mails = Array.from({ length: LIMITS.alertMailsPerOwnerDay - 1 }, () => ({
    ...mailed,
    id: newUuid(new Date()),
  }));
  await db.outgoingMail.createMany({ data: mails });
  const rules = [];
  for (let n = 0; n < 2; n += 1) {
    rules.push(await addRule({ of, channel: 'email', target: `ann-${n}@example.com` }));
  }
  await fail('dead_letter', of);
  await round();
  expect(await db.outgoingMail.count({ where: { ownerId: createdBy, kind: 'alert' } })).toBe(
    LIMITS.alertMailsPerOwnerDay,
  );
  const codes = await Promise.all(rules.map(async (id) => (await ruleOf(id)).lastErrorCode));
  expect(codes.toSorted()).toEqual([null, 'too_many_mails'].toSorted());
});

test('a member whose address is not proved, or who has stopped the alerts, is mailed none', async () => {
  const { workspaceId } = endpoint;
  const [unproven, stopped, member] = ['unproven', 'stopped', 'member'].map((name) => `${name}@example.com`);
  for (const email of [unproven, stopped, member]) {
    const addressProvenAt = email === unproven ? null : new Date();
    const user = await db.user.create({
      data: { id: newUuid(new Date()), email: email ?? '', name: 'Any', addressProvenAt },
    });
    const alertsStoppedAt = email === stopped ? new Date() : null;
    await db.member.create({ data: { workspaceId, userId: user.id, role: 'viewer', alertsStoppedAt } });
    await addRule({ channel: 'email', target: email, confirmedAt: null });
  }
  await db.outgoingMail.deleteMany();
  await fail();
  await round();
  const mails = await db.outgoingMail.findMany();
  expect(mails.map(({ id, content }) => openMail(keys, id, content ?? new Uint8Array())?.to)).toEqual([member]);
});

test.each([
  ['oauth2_failed', 401, 'no token from its authorization server'],
  ['timeout', 200, 'no answer in time'],
  ['http_status', 503, 'it answered 503'],
])('the reason %s with the status %i is told as: %s', async (errorCode, responseStatus, words) => {
  await addRule();
  const { deliveryId } = await insertDelivery(db, endpoint, { totalAttempts: 1 });
  await db.attempt.create({
    data: {
      deliveryId,
      id: newUuid(new Date()),
      number: 1,
      trigger: 'schedule',
      succeeded: false,
      startedAt: new Date(),
      durationMs: 1,
      url: 'https://receiver.test/',
      requestHeaders: {},
      responseStatus,
      errorCode,
    },
  });
  await db.delivery.update({
    where: { id: deliveryId },
    data: { status: 'dead_letter', failureReason: 'retries_exhausted' },
  });
  await round();
  expect(texts()).toEqual([expect.stringContaining(`was given up: ${words}.`)]);
});

test('each kind of event is told in plain words', async () => {
  const { endpointId } = endpoint;
  await addRule({ events: ['posthorn.endpoint.failing', 'posthorn.endpoint.recovered', 'posthorn.endpoint.disabled'] });
  const failingSince = new Date(Date.now() - 12 * 60_000);
  await db.endpointHealth.create({
    data: { endpointId, consecutiveFailures: 20, failingSince, lastFailureAt: new Date() },
  });
  await db.endpointHealth.update({ where: { endpointId }, data: { openUntil: new Date(Date.now() + 60_000) } });
  await round();
  expect(texts()).toEqual([
    expect.stringContaining('Endpoint https://receiver.test/ stopped answering 12 minutes ago.'),
  ]);
  await db.endpointHealth.update({ where: { endpointId }, data: { openUntil: null } });
  await db.endpoint.update({ where: { id: endpointId }, data: { isActive: false, disabledReason: 'gone' } });
  // A rule sends one message at a time.
  await round();
  await round();
  expect(texts().slice(1).toSorted()).toEqual([
    expect.stringContaining('Endpoint https://receiver.test/ answers again.'),
    expect.stringContaining('was deactivated: it answered 410 Gone. It gets no more events.'),
  ]);
});

test.each<[string, Record<string, string | number>, string]>([
  ['posthorn.operation.completed', { operationId: 'x', operationType: 'cancel', matched: 1 }, 'operations'],
  ['posthorn.api_key.expiring', { apiKeyId: 'x', name: 'Shop' }, 'access'],
  ['posthorn.source.recovered', { sourceId: 'x', name: 'Orders' }, 'sources'],
])('a message of %s that concerns no endpoint leads to the page of its subject', async (eventType, facts, page) => {
  await addRule({ events: [eventType] });
  const { workspaceId, environmentId } = endpoint;
  await db.raisedAlert.create({ data: { workspaceId, environmentId, eventType, facts } });
  await round();
  expect(texts()).toEqual([expect.stringContaining(`/production/${page}|Open>`)]);
});

test('a message that cannot be written is tried again at the times of a failed send, and then given up', async () => {
  const ruleId = await addRule();
  const { workspaceId } = endpoint;
  const unreadable = { id: newUuid(new Date()), ruleId, workspaceId, eventType: DEAD, content: {} };
  await db.outgoingAlert.create({ data: unreadable });
  const left = [];
  for (let n = 0; n < 5; n += 1) {
    await db.$executeRaw`update outgoing_alert set due_at = now(), claimed_until = null`;
    await round();
    left.push(await db.outgoingAlert.count());
  }
  expect(left).toEqual([1, 1, 1, 1, 0]);
  expect(readAlertError(await ruleOf(ruleId))).toMatchObject({ lastErrorCode: 'internal' });
  expect(receiver.requests).toEqual([]);
});

test('a test message goes out whatever the quiet time', async () => {
  const rule = await addRule();
  const { workspaceId } = endpoint;
  await db.outgoingAlert.create({
    data: { id: newUuid(new Date()), ruleId: rule, workspaceId, eventType: 'test', content: {} },
  });
  await round();
  expect(texts()).toEqual([expect.stringContaining('Test of the alert rule “On call”')]);
});
