import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { ALERT_ERROR_CODES } from '@posthorn/contract/alert-rules';
import { newUuid } from '@posthorn/contract/ids';
import { LIMITS } from '@posthorn/contract/limits';
import { sealContext } from '@posthorn/crypto/contexts';
import { parseSealingKeys, seal } from '@posthorn/crypto/seal';
import { readAlertError } from '@posthorn/db/alert-error';
import type { Db } from '@posthorn/db/client';
import { parseProxyUrl } from '@posthorn/egress/proxy-url';
import { digestOfAddress } from '@posthorn/mail/mail-quota';
import { systemClock } from '@posthorn/runtime/clock';
import { startConnectProxy } from '@posthorn/testkit/connect-proxy';
import { createTestDatabase, type TestDatabase } from '@posthorn/testkit/database';
import { type EndpointRow, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { freePort } from '@posthorn/testkit/free-port';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { openLoopbackSender } from '../../test/loopback-sender.ts';
import { createMetrics } from '../metrics.ts';
import { createSendAlerts, type SendAlertsDeps } from './send-alerts.ts';

const newKeys = () => parseSealingKeys(`test:${randomBytes(32).toString('base64')}`);
const keys = newKeys();

let database: TestDatabase;
let db: Db;
let receiver: Receiver;
let endpoint: EndpointRow;
let metrics: SendAlertsDeps['metrics'];
const cleanUps: (() => unknown)[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
  receiver = await startReceiver();
  endpoint = await insertEndpoint(db);
  metrics = createMetrics();
});
afterAll(async () => {
  await receiver.close();
  await database.drop();
});
beforeEach(() => receiver.respondWith(() => ({})));
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
  await db.alertRule.deleteMany();
});

function open(other: Parameters<typeof openLoopbackSender>[1] = {}) {
  const sender = openLoopbackSender(receiver, other);
  cleanUps.push(() => sender.close());
  return sender;
}

async function addRule(target = receiver.url, more: Record<string, unknown> = {}) {
  const id = newUuid(new Date());
  const targetSealed = new Uint8Array(seal(keys, Buffer.from(target), sealContext.alertTarget(id)));
  const shared = { name: 'On call', channel: 'slack', targetShown: 'x', events: [], quietMinutes: 60 };
  const confirmedAt = new Date();
  await db.alertRule.create({
    data: { id, workspaceId: endpoint.workspaceId, targetSealed, ...shared, confirmedAt, ...more },
  });
  return id;
}

/** Sends a test message of the rule, and returns what the rule's row then has. */
async function sendTo(ruleId: string, other: Partial<SendAlertsDeps> = {}) {
  await db.outgoingAlert.deleteMany({ where: { ruleId } });
  const { workspaceId } = endpoint;
  await db.outgoingAlert.create({
    data: { id: newUuid(new Date()), ruleId, workspaceId, eventType: 'test', content: {} },
  });
  const shared = { db, keys, clock: systemClock, baseUrl: 'https://hooks.example.com', metrics };
  const sending = createSendAlerts({ ...shared, sender: open(), logger: { warn: () => {} }, ...other });
  await sending.round();
  await sending.drain();
  return db.alertRule.findUniqueOrThrow({ where: { id: ruleId } });
}

const silent = () => receiver.respondWith(() => ({ raw: () => {} }));

/** For each error, how to cause it with a real sender and a real target. */
const CAUSES: Record<(typeof ALERT_ERROR_CODES)[number], () => Promise<Awaited<ReturnType<typeof sendTo>>>> = {
  async timeout() {
    silent();
    const sender = open();
    return sendTo(await addRule(), { sender: { send: (request) => sender.send({ ...request, timeoutMs: 200 }) } });
  },
  async dns_failure() {
    const resolve = () => Promise.reject(Object.assign(new Error('gone'), { code: 'ENOTFOUND' }));
    return sendTo(await addRule('https://missing.receiver.test/'), { sender: open({ resolve }) });
  },
  connection_refused: async () => sendTo(await addRule(`https://127.0.0.1:${await freePort()}/`)),
  async connection_reset() {
    receiver.respondWith(() => ({ raw: ({ reset }) => reset() }));
    return sendTo(await addRule());
  },
  async tls_error() {
    const untrusted = await startReceiver({ certificate: 'self-signed' });
    cleanUps.push(() => untrusted.close());
    return sendTo(await addRule(untrusted.url));
  },
  blocked_address: async () => sendTo(await addRule('https://10.0.0.1/')),
  async http_status() {
    receiver.respondWith(() => ({ status: 503 }));
    return sendTo(await addRule());
  },
  async too_large() {
    receiver.respondWith(() => ({ headers: { 'x-large': 'x'.repeat(20_000) } }));
    return sendTo(await addRule());
  },
  async protocol_error() {
    receiver.respondWith(() => ({ raw: ({ socket }) => socket.end('SSH-2.0-OpenSSH\r\n') }));
    return sendTo(await addRule());
  },
  async proxy_error() {
    const proxy = await startConnectProxy();
    cleanUps.push(() => proxy.close());
    proxy.respondWith(() => ({ status: 503 }));
    return sendTo(await addRule(), { sender: open({ proxy: parseProxyUrl(proxy.url) }) });
  },
  internal: async () => sendTo(await addRule('no URL')),
  async sender_stopped() {
    const sender = open();
    sender.abortAll();
    return sendTo(await addRule(), { sender });
  },
  target_unreadable: async () => sendTo(await addRule(), { keys: newKeys() }),
  not_a_member: async () => sendTo(await addRule('ann@example.com', { channel: 'email', confirmedAt: null })),
  async too_many_mails() {
    const addressDigest = digestOfAddress('bea@example.com');
    const data = { kind: 'alert', addressDigest, dueAt: null };
    await db.outgoingMail.createMany({
      data: Array.from({ length: LIMITS.alertMailsPerAddressDay }, () => ({ ...data, id: newUuid(new Date()) })),
    });
    return sendTo(await addRule('bea@example.com', { channel: 'email' }));
  },
};

test.each(ALERT_ERROR_CODES)(
  'a rule has the code of its last error, and a status only if the target answered: %s',
  async (code) => {
    const row = await CAUSES[code]();
    expect(readAlertError(row)).toEqual({
      lastError: expect.stringMatching(/\w/),
      lastErrorCode: code,
      lastErrorStatus: code === 'http_status' ? 503 : null,
    });
  },
);

const none = { lastError: null, lastErrorCode: null, lastErrorStatus: null };

test('a message that is sent clears the error with its code, and so does a mail', async () => {
  const chat = await addRule();
  receiver.respondWith(() => ({ status: 404 }));
  expect(readAlertError(await sendTo(chat))).toMatchObject({ lastErrorCode: 'http_status', lastErrorStatus: 404 });
  receiver.respondWith(() => ({}));
  expect(await sendTo(chat)).toMatchObject({ ...none, lastErrorCoded: null });
  const mail = await addRule('ann@example.com', { channel: 'email', confirmedAt: null });
  expect(readAlertError(await sendTo(mail))).toMatchObject({ lastErrorCode: 'not_a_member' });
  await db.alertRule.update({ where: { id: mail }, data: { confirmedAt: new Date() } });
  expect(await sendTo(mail)).toMatchObject({ ...none, lastErrorCoded: null });
});

test('a mail that is refused counts for the channel email', async () => {
  const counted = createMetrics();
  const formerMember = await addRule('ann@example.com', { channel: 'email', confirmedAt: null });
  await sendTo(formerMember, { metrics: counted });
  const confirmed = await addRule('ann@example.com', { channel: 'email' });
  await sendTo(confirmed, { metrics: counted, keys: newKeys() });
  const { values } = await counted.alerts.get();
  expect(values.map(({ labels, value }) => [labels.channel, labels.result, value])).toEqual([['email', 'refused', 2]]);
});

test('the code of an error is never shown for another one, which an earlier version wrote without a code', async () => {
  const id = await addRule();
  receiver.respondWith(() => ({ status: 404 }));
  await sendTo(id);
  for (const lastError of ['The connection was refused (ECONNREFUSED)', 'The target answered 503', null]) {
    const row = await db.alertRule.update({ where: { id }, data: { lastError } });
    expect(readAlertError(row)).toEqual({ ...none, lastError });
  }
  receiver.respondWith(() => ({ status: 500 }));
  expect(readAlertError(await sendTo(id))).toMatchObject({ lastErrorCode: 'http_status', lastErrorStatus: 500 });
});
