import { createServer, type Server } from 'node:http';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { newUuid, toId } from '@posthorn/contract/ids';
import { createProducer } from '@posthorn/queue/redis/producer';
import { deliverQueue } from '@posthorn/queue/redis/queues';
import { shardOf } from '@posthorn/queue/shards';
import { testRedis } from '@posthorn/testkit/database';
import { openBullBoard } from './bull-board.ts';
import { createGuessLimit } from './guess-limit.ts';
import { createQueueBoard } from './queue-board.ts';

const MINUTE_MS = 60_000;
const SHARDS = 3;
const password = 'a long password';
const redis = testRedis();
let nowMs: number;
let board: ReturnType<typeof createQueueBoard>;
let server: Server;
beforeEach(async () => {
  nowMs = 0;
  const settings = { REDIS_URL: redis.redisUrl, QUEUE_PREFIX: redis.prefix, DELIVER_QUEUE_SHARDS: SHARDS };
  const dashboardUrl = 'https://hooks.example.com';
  board = createQueueBoard({
    kind: 'bullBoard',
    open: async () => openBullBoard({ settings, write: false, dashboardUrl, onError: () => {} }),
    user: 'admin',
    password,
    clock: { monotonicMs: () => nowMs },
  });
  server = createServer(board.app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  server.close();
  server.closeAllConnections();
  await board.close();
});

function ask(guess?: string, path = '/'): Promise<Response> {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const authorization = `Basic ${Buffer.from(`admin:${guess}`).toString('base64')}`;
  return fetch(`http://127.0.0.1:${port}${path}`, guess === undefined ? {} : { headers: { authorization } });
}

test('an address has 10 wrong guesses in 15 minutes; then even the right password is refused', async () => {
  for (let n = 0; n < 10; n += 1) expect((await ask('wrong')).status).toBe(401);
  nowMs = 5 * MINUTE_MS;
  const refused = await ask(password);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '600']);
  nowMs = 15 * MINUTE_MS;
  expect((await ask(password)).status).toBe(200);
});

test('neither the right password nor a request without one counts as a guess', async () => {
  for (let n = 0; n < 12; n += 1) expect([(await ask()).status, (await ask(password)).status]).toEqual([401, 200]);
});

test.each([
  ['the board', password],
  ['its login', undefined],
])('%s must not be shown in a frame, loads its own files only, and does not name its software', async (_, guess) => {
  const { headers } = await ask(guess);
  const policy = headers.get('content-security-policy')?.split('; ');
  expect(policy).toEqual(expect.arrayContaining(["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"]));
  expect(policy?.join()).not.toMatch(/https?:|\*/);
  expect(headers.get('x-frame-options')).toBe('DENY');
  expect(headers.has('x-powered-by')).toBe(false);
});

test('the page names no address outside of the board', async () => {
  const page = await (await ask(password)).text();
  const names = [...page.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, address]) => address);
  expect(names).toEqual(expect.arrayContaining([expect.stringMatching(/^static\/js\/main\./)]));
  expect(names.filter((address) => /^(https?:)?\/\//.test(address ?? ''))).toEqual([]);
});

test('shows every shard of the deliver queue', async () => {
  type Answer = { queues: { name: string }[] };
  const { queues } = (await (await ask(password, '/api/queues')).json()) as Answer;
  expect(queues.map(({ name }) => name)).toEqual([
    'hand-over',
    'fan-out',
    'deliver',
    'deliver-1',
    'deliver-2',
    'probe',
  ]);
});

test('a job of a delivery links to the delivery in the dashboard, wherever its environment is', async () => {
  const newId = () => newUuid(new Date());
  const [workspaceId, deliveryId] = [newId(), newId()];
  const delivery = { workspaceId, deliveryId, eventId: newId(), endpointId: newId(), generation: 1, delayMs: 60_000 };
  const producer = createProducer({ ...redis, shards: SHARDS, onError: () => {}, monotonicMs: () => 0 });
  await new Promise<void>((resolve) => producer.onReachable(resolve));
  await producer.enqueueDeliveries([delivery]);
  const queue = deliverQueue(shardOf(delivery.endpointId, SHARDS));
  const answer: unknown = await (await ask(password, `/api/queues?activeQueue=${queue}&status=delayed`)).json();
  await producer.close();
  const href = `https://hooks.example.com/w/${toId('ws', workspaceId)}/~/${toId('dlv', deliveryId)}`;
  expect(JSON.stringify(answer)).toContain(JSON.stringify({ displayText: 'Delivery', href }));
});

test('an IPv6 network counts as one address, and other addresses are not limited', () => {
  const limit = createGuessLimit({ monotonicMs: () => 0 });
  for (let n = 0; n < 10; n += 1) limit.count(`2001:db8:1:2::${n}`);
  expect(limit.waitMs('2001:db8:1:2:a:b:c:d')).toBe(15 * MINUTE_MS);
  expect([limit.waitMs('2001:db8:1:3::1'), limit.waitMs('192.0.2.1')]).toEqual([0, 0]);
});
