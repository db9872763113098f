import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Posthorn } from '@posthorn/client';
import { verify } from '@posthorn/client/webhooks';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { startTcpGate, type TcpGate } from '@posthorn/testkit/tcp-gate';
import { waitFor } from '@posthorn/testkit/wait-for';
import { type Services, startServices } from '../services-in-process.ts';
import { type CommandLine, prepareCommandLine, type Running } from './posthorn.ts';

// Tests `posthorn listen` between a receiver and a running Posthorn behind a gate that can be cut.

let stack: Services;
let gate: TcpGate;
let posthorn: Posthorn;
/** A command that gets no response. It waits for 10 s, while the other tests run. */
let unanswered: { line: CommandLine; server: Server; started: Running; reported: Promise<string> };
beforeAll(async () => {
  stack = await startServices({ settings: { RATE_LIMIT_MANAGEMENT: '0', RETRY_SCHEDULE: '1,1,1' } });
  gate = await startTcpGate(stack.api.url);
  posthorn = new Posthorn({ baseUrl: stack.api.url, token: stack.managementToken, apiKey: stack.apiKey });
  await posthorn.eventTypes.create({ name: 'order.placed', publishIn: [stack.environmentId] });
  await posthorn.eventTypes.create({ name: 'order.shipped', publishIn: [stack.environmentId] });
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const own = prepareCommandLine({
    POSTHORN_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    POSTHORN_TOKEN: stack.managementToken,
    POSTHORN_WORKSPACE_ID: stack.workspaceId,
  });
  const started = own.start(['listen', '3000']);
  const says = { what: 'the word of the silence', timeoutMs: 15_000 };
  const reported = waitFor(() => started.stderr().includes('Not connected'), says).then(() => {
    // Ends the command now, because it would later end by itself.
    started.interrupt();
    return 'reported';
  }, String);
  unanswered = { line: own, server, started, reported };
}, 120_000);
afterAll(async () => {
  unanswered?.started.interrupt();
  await unanswered?.started.ended;
  unanswered?.line.remove();
  unanswered?.server.closeAllConnections();
  unanswered?.server.close();
  await gate?.close();
  await stack?.stop();
});

let line: CommandLine;
let receiver: Receiver;
let running: Running[];
beforeEach(async () => {
  running = [];
  receiver = await startReceiver();
  line = prepareCommandLine({
    POSTHORN_BASE_URL: new URL(gate.url).origin,
    POSTHORN_TOKEN: stack.managementToken,
    POSTHORN_WORKSPACE_ID: stack.workspaceId,
  });
});
afterEach(async () => {
  for (const one of running) one.interrupt();
  await Promise.all(running.map(({ ended }) => ended));
  await receiver.close();
  line.remove();
});

/** Starts to listen, and returns when it is connected. */
async function listen(...options: string[]): Promise<Running> {
  const started = line.start(['listen', receiver.url, '--insecure', ...options]);
  running.push(started);
  let hasEnded = false;
  started.ended.then(() => {
    hasEnded = true;
  });
  await waitFor(() => started.stderr().includes('Ready') || hasEnded, { what: 'the connection', timeoutMs: 30_000 });
  expect(started.stderr()).toContain('Ready');
  return started;
}

const bodies = async (count: number) => (await receiver.received(count)).map(({ body }) => body.toString());

const endpointOf = (name: string) =>
  posthorn.endpoints.get(`ext:listen:${name}`, { environmentId: stack.environmentId });

async function attemptsOf(endpointId: string) {
  const [delivery] = await posthorn.deliveries.list({ endpointId }).toArray({ limit: 1 });
  return delivery === undefined ? [] : posthorn.deliveries.listAttempts(delivery.id).toArray({ limit: 10 });
}

test('a webhook arrives as sent, verifies, and is a line of the output and an attempt', async () => {
  const { stdout } = await listen('--name', 'one');
  await posthorn.events.send('order.placed', { id: 'order_1002' }, { application: '*' });
  const [request] = await receiver.received(1);
  const { id, secret } = await endpointOf('one');
  expect(request?.body.toString()).toBe('{"id":"order_1002"}');
  await verify(request?.body ?? '', request?.headers ?? {}, String(secret));
  await waitFor(() => stdout().endsWith('\n'), { what: 'the line' });
  expect(JSON.parse(stdout())).toMatchObject({ eventType: 'order.placed', attempt: 1, status: 200, error: null });
  expect(await attemptsOf(id)).toMatchObject([{ outcome: 'success', responseStatus: 200 }]);
}, 60_000);

test('what was sent while it was closed arrives at the next start, oldest first, with the same endpoint and key', async () => {
  const first = await listen('--name', 'closed');
  first.interrupt();
  expect((await first.ended).code).toBe(130);
  const file = join(line.home, '.config/posthorn/config.toml');
  const kept = readFileSync(file, 'utf8');
  expect(kept).toContain('phpl_');
  for (const n of [1, 2, 3]) await posthorn.events.send('order.placed', { n }, { application: '*' });
  const { id } = await endpointOf('closed');
  await waitFor(async () => (await posthorn.endpoints.get(id)).pull?.waiting === 3, { what: 'what waits' });
  await listen('--name', 'closed');
  expect(await bodies(3)).toEqual(['{"n":1}', '{"n":2}', '{"n":3}']);
  expect(readFileSync(file, 'utf8')).toBe(kept);
}, 60_000);

test('without --environment it listens in the default one, also if another has a listener of the same name', async () => {
  const { id: environmentId } = await posthorn.environments.create({ name: 'Staging', slug: 'staging' });
  const inStaging = ['--name', 'place', '--environment', 'staging'];
  for (const options of [inStaging, ['--name', 'place'], inStaging, ['--name', 'place']]) {
    const started = await listen(...options);
    started.interrupt();
    await started.ended;
  }
  await posthorn.events.send('order.placed', { n: 1 }, { application: '*' });
  await listen('--name', 'place');
  expect(await bodies(1)).toEqual(['{"n":1}']);
  const there = await posthorn.endpoints.get('ext:listen:place', { environmentId });
  for (const { id } of [there, await endpointOf('place')]) {
    expect(await posthorn.pullKeys.list(id).toArray({ limit: 10 })).toHaveLength(1);
  }
}, 120_000);

test('--from-now leaves out what was missed; --since brings what was sent before', async () => {
  const first = await listen('--name', 'times', '--types', 'order.placed');
  first.interrupt();
  await first.ended;
  await posthorn.events.send('order.placed', { n: 'missed' }, { application: '*' });
  const { id } = await endpointOf('times');
  await waitFor(async () => (await posthorn.endpoints.get(id)).pull?.waiting === 1, { what: 'what waits' });
  const second = await listen('--name', 'times', '--from-now');
  await posthorn.events.send('order.placed', { n: 'new' }, { application: '*' });
  expect(await bodies(1)).toEqual(['{"n":"new"}']);
  second.interrupt();
  await second.ended;
  await listen('--name', 'times', '--since', '10m');
  await waitFor(async () => (await bodies(2)).includes('{"n":"missed"}'), {
    what: 'the missed event',
    timeoutMs: 30_000,
  });
}, 90_000);

test('a refusal is given back with the answer, is sent again, and both attempts are on record', async () => {
  receiver.respondWith((_, nth) => (nth === 1 ? { status: 503, body: 'not yet' } : { status: 204 }));
  await listen('--name', 'refused');
  await posthorn.events.send('order.placed', {}, { application: '*' });
  await receiver.received(2);
  const { id } = await endpointOf('refused');
  const attempts = await waitFor(
    async () => {
      const found = await attemptsOf(id);
      return found.length === 2 && found;
    },
    { what: 'both attempts' },
  );
  expect(attempts).toMatchObject([
    { outcome: 'failure', errorCode: 'http_status', responseStatus: 503, responseBody: 'not yet' },
    { outcome: 'success', responseStatus: 204 },
  ]);
}, 60_000);

test('the answer of a receiver is kept with its attempt, whatever its bytes are', async () => {
  receiver.respondWith(() => ({ status: 500, body: Buffer.alloc(20_000, 0xff) }));
  await listen('--name', 'bytes', '--once');
  await posthorn.events.send('order.placed', {}, { application: '*' });
  expect(await running[0]?.ended).toMatchObject({ code: 5 });
  const { id } = await endpointOf('bytes');
  const [attempt] = await attemptsOf(id);
  expect(attempt).toMatchObject({ errorCode: 'http_status', responseStatus: 500 });
  expect(attempt?.responseBody).toMatch(/^\ufffd{5000,}/);
}, 60_000);

test('a receiver that does not speak TLS has failed, and the attempt says why', async () => {
  const plain = createServer().listen(0, '127.0.0.1');
  await once(plain, 'listening');
  const url = `https://127.0.0.1:${(plain.address() as AddressInfo).port}`;
  const started = line.start(['listen', url, '--name', 'plain', '--once']);
  running.push(started);
  await waitFor(() => started.stderr().includes('Ready'), { what: 'the connection', timeoutMs: 30_000 });
  await posthorn.events.send('order.placed', {}, { application: '*' });
  expect(await started.ended).toMatchObject({ code: 5 });
  plain.close();
  const { id } = await endpointOf('plain');
  const [attempt] = await attemptsOf(id);
  expect(attempt).toMatchObject({ errorCode: 'nacked', errorMessage: expect.stringContaining('wrong version number') });
}, 60_000);

test('--once ends with 5 when the receiver cannot be reached, and the attempt says why', async () => {
  const { stdout } = await listen('--name', 'down', '--once');
  await receiver.close();
  await posthorn.events.send('order.placed', {}, { application: '*' });
  expect((await running[0]?.ended)?.code).toBe(5);
  expect(JSON.parse(stdout())).toMatchObject({ status: null, error: expect.stringContaining('ECONNREFUSED') });
  const { id } = await endpointOf('down');
  const [attempt] = await attemptsOf(id);
  expect(attempt).toMatchObject({ errorCode: 'nacked', errorMessage: expect.stringContaining('ECONNREFUSED') });
}, 60_000);

test('a connection that is cut, refused, or hangs is said, and what was sent meanwhile arrives', async () => {
  const { stderr } = await listen('--name', 'cut');
  const count = (text: string) => stderr().split(text).length - 1;
  await gate.shut();
  await waitFor(() => count('Not connected') === 1, { what: 'the word of the cut' });
  await posthorn.events.send('order.placed', { n: 1 }, { application: '*' });
  await gate.open();
  expect(await bodies(1)).toEqual(['{"n":1}']);
  expect(count('Connected again')).toBe(1);
  gate.freeze();
  await waitFor(() => count('Not connected') === 2, { what: 'the word of the silence', timeoutMs: 40_000 });
  await posthorn.events.send('order.placed', { n: 2 }, { application: '*' });
  expect(count('Connected again')).toBe(1);
  gate.thaw();
  await waitFor(async () => (await bodies(2)).includes('{"n":2}'), { what: 'the second event', timeoutMs: 40_000 });
}, 120_000);

test('only the chosen types and payloads arrive; another choice replaces the first one', async () => {
  const first = await listen('--name', 'chosen', '--types', 'order.placed', '--filter', '{"amount":{"gte":10}}');
  await posthorn.events.send('order.placed', { amount: 1 }, { application: '*' });
  await posthorn.events.send('order.shipped', { amount: 20 }, { application: '*' });
  await posthorn.events.send('order.placed', { amount: 30 }, { application: '*' });
  expect(await bodies(1)).toEqual(['{"amount":30}']);
  first.interrupt();
  await first.ended;
  await listen('--name', 'chosen', '--types', 'order.shipped');
  await posthorn.events.send('order.placed', { amount: 40 }, { application: '*' });
  await posthorn.events.send('order.shipped', { amount: 2 }, { application: '*' });
  expect((await bodies(2))[1]).toBe('{"amount":2}');
}, 90_000);

test('a choice that is refused leaves the former one, and a pattern takes over what was chosen by name', async () => {
  const first = await listen('--name', 'kept', '--types', 'order.placed');
  first.interrupt();
  await first.ended;
  const { id } = await endpointOf('kept');
  const chosen = async () => {
    const subscriptions = await posthorn.subscriptions.list(id).toArray({ limit: 10 });
    return subscriptions.map(({ eventTypeName }) => eventTypeName).sort();
  };
  const again = (...options: string[]) => line.start(['listen', receiver.url, '--name', 'kept', ...options]).ended;
  expect((await again('--types', 'order.shipped,order.lost')).code).toBe(4);
  expect((await again('--types', 'order.shipped', '--filter', '{"n":{"near":1}}')).code).toBe(5);
  expect((await again('--filter', '{"n":{"near":1}}')).code).toBe(5);
  expect(await chosen()).toEqual(['order.placed']);
  await listen('--name', 'kept', '--types', 'order.*');
  expect(await chosen()).toEqual(['order.placed', 'order.shipped']);
}, 90_000);

test('a key that was deleted is replaced', async () => {
  const first = await listen('--name', 'replaced');
  first.interrupt();
  await first.ended;
  const { id } = await endpointOf('replaced');
  for await (const key of posthorn.pullKeys.list(id)) await posthorn.pullKeys.delete(id, key.id);
  const second = line.start(['listen', receiver.url, '--insecure', '--name', 'replaced', '--once']);
  await posthorn.events.send('order.placed', {}, { application: '*' });
  expect((await second.ended).code).toBe(0);

  const kept = readFileSync(join(line.home, '.config/posthorn/config.toml'), 'utf8');
  const headers = { authorization: `Bearer ${/phpl_\w+/.exec(kept)?.[0]}`, 'content-type': 'application/json' };
  for await (const key of posthorn.pullKeys.list(id)) await posthorn.pullKeys.delete(id, key.id);
  const lease = () => fetch(`${stack.api.url}/api/pull/${id}/lease`, { method: 'POST', headers, body: '{}' });
  await waitFor(async () => (await lease()).status === 401, { what: 'the deleted key to be refused' });
  const several = await listen('--name', 'replaced', '--concurrency', '4');
  several.interrupt();
  await several.ended;
  expect(await posthorn.pullKeys.list(id).toArray({ limit: 10 })).toHaveLength(1);
}, 90_000);

/** How the command is ended, and its exit code. */
test('logout ends the keys of the listeners, and keeps none of them', async () => {
  const login = `posthorn login --token - --base-url ${new URL(gate.url).origin}/`;
  expect((await line.shell(login, { input: stack.managementToken })).code).toBe(0);
  const first = await listen('--name', 'left');
  first.interrupt();
  await first.ended;
  const { id } = await endpointOf('left');
  const other = await posthorn.pullKeys.create(id, { name: 'Another machine' });
  const file = () => readFileSync(join(line.home, '.config/posthorn/config.toml'), 'utf8');
  expect(file()).toContain('phpl_');
  expect((await line.shell('posthorn logout')).code).toBe(0);
  expect(file()).not.toContain('phpl_');
  expect((await posthorn.pullKeys.list(id).toArray({ limit: 10 })).map((key) => key.id)).toEqual([other.id]);
  await listen('--name', 'left');
}, 90_000);

const ends: [how: string, end: (running: Running) => void, code: number][] = [
  ['Ctrl-C', ({ interrupt }) => interrupt(), 130],
  ['SIGTERM', ({ kill }) => kill('SIGTERM'), 143],
  // A closing terminal sends one signal, its shell the other.
  [
    'SIGHUP, twice',
    ({ kill }) => {
      kill('SIGHUP');
      kill('SIGHUP');
    },
    129,
  ],
  ['a closed output', ({ closeOutput }) => closeOutput(), 0],
];

test.each(ends)(
  '--ephemeral leaves no endpoint after %s',
  async (_how, end, code) => {
    const count = async () => (await posthorn.endpoints.list().toArray({ limit: 100 })).length;
    const before = await count();
    const ephemeral = await listen('--ephemeral');
    expect(await count()).toBe(before + 1);
    end(ephemeral);
    // The command notices a closed output only when it prints something.
    await posthorn.events.send('order.placed', {}, { application: '*' });
    expect((await ephemeral.ended).code).toBe(code);
    expect(await count()).toBe(before);
  },
  60_000,
);

test.each([
  [['listen', 'https://shop.example.com/'], 'another machine'],
  [['listen', 'nonsense://x'], 'http or https'],
  [['listen', '3000', '--since', '1h', '--from-now'], 'cannot be combined'],
])('%j is refused with exit code 2', async (args, why) => {
  const { code, stderr } = await line.start(args).ended;
  expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
});

test('a service that does not answer at the start is reported within 15 seconds', async () => {
  const { started, reported } = unanswered;
  expect(await reported).toBe('reported');
  expect((await started.ended).code).toBe(130);
}, 30_000);

test('without a connection at the start it ends at once with 6, and never says that it is ready', async () => {
  const { code, stderr } = await line.start(['listen', '3000'], { env: { POSTHORN_BASE_URL: 'http://127.0.0.1:1' } })
    .ended;
  expect([code, stderr]).toEqual([6, expect.not.stringContaining('Ready')]);
});
