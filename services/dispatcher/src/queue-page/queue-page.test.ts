import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { toId } from '@posthorn/contract/ids';
import { parseSealingKeys } from '@posthorn/crypto/seal';
import { inTransaction } from '@posthorn/db/transaction';
import { openQueues } from '@posthorn/queue/open-queues';
import type { Queues } from '@posthorn/queue/queues';
import { systemClock } from '@posthorn/runtime/clock';
import { insertBacklog } from '@posthorn/testkit/backlog';
import { createTestDatabase } from '@posthorn/testkit/database';
import { type EndpointRow, insertDelivery, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { waitFor } from '@posthorn/testkit/wait-for';
import { createQueueBoard } from '../queue-board.ts';
import { FROM_START } from '../recovery/low-water-mark.ts';
import { openQueuePage } from './open-queue-page.ts';
import { MOST_READ } from './read-queues.ts';

const HOSTILE = `<script>alert(1)</script>"'&`;
const PASSWORD = 'a long password';
const SEALING_KEYS = `test:${Buffer.alloc(32, 7).toString('base64')}`;
const { databaseUrl, db, drop } = await createTestDatabase();
let endpoint: EndpointRow;
let queues: Queues;
let server: Server;
let written: object[];

beforeAll(async () => {
  endpoint = await insertEndpoint(db);
  await db.workspace.update({ where: { id: endpoint.workspaceId }, data: { name: HOSTILE } });
  queues = await openQueues(
    {
      ...{ DATABASE_URL: databaseUrl, QUEUE_PREFIX: 'posthorn', DELIVER_QUEUE_SHARDS: 1 },
      SEALING_KEYS: parseSealingKeys(SEALING_KEYS),
    },
    { db, role: 'dispatcher', monotonicMs: systemClock.monotonicMs, onError: () => {} },
  );
});
afterAll(async () => {
  await queues.close();
  await drop();
});
beforeEach(async () => {
  written = [];
  await db.$executeRaw`truncate delivery, event, pending_fan_out, endpoint_line, probe, paused_queue cascade`;
  await serve({ write: false });
});
afterEach(() => end());

async function serve({ write }: { write: boolean }): Promise<void> {
  const { rows } = queues;
  if (rows === undefined) throw new Error('there are no rows');
  const log = (message: string, fields?: object) => void written.push({ message, ...fields });
  const given = { db, rows, write, clock: systemClock, logger: { info: log }, quiet: { warn: log } };
  const board = createQueueBoard({
    kind: 'ownPage',
    open: async () =>
      openQueuePage({
        ...given,
        lowWaterMark: { read: async () => FROM_START },
        producer: queues.openProducer(),
        dashboardUrl: 'https://hooks.example.com/',
      }),
    user: 'admin',
    password: PASSWORD,
    clock: systemClock,
  });
  server = createServer(board.app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
}

async function end(): Promise<void> {
  const ended = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await ended;
}

function ask(
  path: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: object } = {},
): Promise<Response> {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const authorization = `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`;
  return fetch(`http://127.0.0.1:${port}/${path}`, {
    method,
    redirect: 'manual',
    headers: { authorization, ...headers },
  });
}

const pageOf = async (path: string) => (await ask(path)).text();
/** The text of the page, with a space between its parts. */
const textOf = async (path: string) => (await pageOf(path)).replaceAll(/<[^>]+>|\s+/g, ' ').replaceAll(/ +/g, ' ');

test('shows what is due, under way and due later, in the order in which it is taken, with links to the dashboard', async () => {
  const later = await insertDelivery(db, endpoint, { dueInSeconds: 600 });
  const due = await insertDelivery(db, endpoint, { dueInSeconds: -90, lostLeases: 2 });
  const leaseToken = randomUUID();
  const held = await insertDelivery(db, endpoint, { status: 'delivering', dueInSeconds: 30, leaseToken });
  const page = await pageOf('deliver');
  const ids = [due, held, later].map(({ deliveryId }) => toId('dlv', deliveryId));
  expect(page.match(/dlv_\w+(?=<\/code>)/g)).toEqual(ids);
  const [workspaceId, endpointId] = [toId('ws', endpoint.workspaceId), toId('ep', endpoint.endpointId)];
  expect(page).toContain(`href="https://hooks.example.com/w/${workspaceId}/~/${ids[0]}"`);
  expect(page).toContain(`href="https://hooks.example.com/w/${workspaceId}/~/${endpointId}"`);
  expect(page).toContain(`lease ${leaseToken.slice(0, 8)}, until`);
  const text = await textOf('deliver');
  expect(text).toMatch(/running, 1 waiting, the oldest for 1 min, 1 under way, 1 due later\./);
  expect(text).toMatch(new RegExp(`${ids[0]} .* ${endpointId} ${workspaceId} 2 `));
});

test('shows what waits in lines since it entered them, and nothing of it as due', async () => {
  const { deliveryId } = await insertDelivery(db, endpoint);
  await db.$executeRaw`update delivery set due_at = now() + interval '1826250 days' - interval '3 hours' where id = ${deliveryId}::uuid`;
  expect(await textOf('lines')).toMatch(/1 waiting, the oldest for 3 h, 0 under way\./);
  expect(await pageOf('lines')).toContain(toId('dlv', deliveryId));
  expect(await textOf('deliver')).toContain('0 waiting, 0 under way');
});

test('shows events that wait for their fan-out, with how often they were taken', async () => {
  const { eventId } = await insertDelivery(db, endpoint, { dueInSeconds: null, status: 'delivered' });
  await db.pendingFanOut.create({ data: { eventId, enqueues: 3, hasBegun: true } });
  expect(await pageOf('fan-out')).toContain(toId('msg', eventId));
  expect(await textOf('fan-out')).toMatch(/1 waiting, the oldest for 0\.\d s, 0 under way\..* 3 begun, not ended/);
});

test('shows tests that wait, and the process that has taken one', async () => {
  const [probeId, holder] = [randomUUID(), randomUUID()];
  const { workspaceId, endpointId } = endpoint;
  const task = JSON.stringify({ kind: 'doctor', workspaceId, endpointId });
  await db.$executeRaw`insert into probe (id, task, owner_rank, reply_to, begins_by, ends_by, taken_by)
    values (${probeId}::uuid, ${task}::json, 1, ${holder}::uuid, now(), now(), ${holder}::uuid)`;
  expect(await textOf('probes')).toMatch(new RegExp(`${probeId.slice(0, 8)} .* process ${holder.slice(0, 8)}`));
  expect(await textOf('probes')).toContain('0 waiting, 1 under way');
});

test('the overview shows every queue, and the processes with their slots', async () => {
  const hide = queues.consumeHandOver({
    concurrency: 1,
    slotCount: 10,
    room: () => 7,
    slowEndpoints: () => new Map([[endpoint.endpointId, 100]]),
    handle: async () => undefined,
    onJobError: () => {},
  });
  await insertDelivery(db, endpoint);
  try {
    await waitFor(async () => /dispatcher .* 7 of 10 1 /.test(await textOf('')), { what: 'the slots of the process' });
    const text = await textOf('');
    expect(text).toMatch(/fan-out running 0 0 0 deliver running 1 0 0 0\.\d s lines 0 0 0 probes 0 0 0/);
  } finally {
    await hide.close();
  }
});

test('the overview says so while a process with its queues in Redis was seen, and shows where each has them', async () => {
  expect(await textOf('')).not.toContain('Mixed');
  await db.$executeRaw`insert into worker (id, role, queue, version) values (gen_random_uuid(), 'api', 'redis', 'other')`;
  try {
    const text = await textOf('');
    expect(text).toContain('Mixed: some processes have their queues in Redis, others in Postgres.');
    expect(text).toMatch(/ api redis other /);
    await db.$executeRaw`update worker set seen_at = now() - interval '20 seconds' where queue = 'redis'`;
    expect(await textOf('')).not.toContain('Mixed');
  } finally {
    await db.$executeRaw`delete from worker where queue = 'redis'`;
  }
});

test('of a flood it reads and shows a part, says that there is more, and names the workspaces with most', async () => {
  const others = await Promise.all(Array.from({ length: 11 }, () => insertEndpoint(db)));
  for (const other of others) await insertDelivery(db, other, { dueInSeconds: -60 });
  const flood = { databaseUrl, sealingKeys: SEALING_KEYS, eventType: 'order.created', body: '{}' };
  await insertBacklog({ ...flood, ...endpoint, count: MOST_READ, endpointIds: [endpoint.endpointId] });
  const page = await pageOf('deliver');
  expect(page).toContain(`${MOST_READ}+ waiting`);
  expect(page.match(/dlv_\w+(?=<\/code>)/g)).toHaveLength(100);
  const workspaces = page.split('The workspaces with most')[1]?.split('</table>')[0];
  expect(workspaces?.match(/<td class="n">\d+/g)).toEqual([
    `<td class="n">${MOST_READ - 11}`,
    ...Array(9).fill('<td class="n">1'),
  ]);
});

test('a name that a customer has chosen is text, and the page has no script and loads nothing from elsewhere', async () => {
  await insertDelivery(db, endpoint);
  const answer = await ask('deliver');
  const page = await answer.text();
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;');
  expect(page).not.toMatch(/<script|style=|\son\w+=/);
  expect(page.match(/<(?:link|img|iframe)[^>]*>/g)).toEqual(['<link rel="stylesheet" href="board.css">']);
  expect((await ask('board.css')).headers.get('content-type')).toContain('text/css');
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-security-policy':
      "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
  });
});

const paused = () => db.$queryRaw<{ queue: string }[]>`select queue from paused_queue order by 1`;

test('with ADMIN_WRITE it pauses and resumes a queue', async () => {
  await end();
  await serve({ write: true });
  expect(await pageOf('')).toContain('<form method="post" action="pause-deliver">');
  const { status, headers } = await ask('pause-deliver', { method: 'POST' });
  expect([status, headers.get('location')]).toEqual([303, 'deliver']);
  expect(await paused()).toEqual([{ queue: 'deliver' }]);
  expect(await textOf('')).toContain('deliver paused');
  await ask('resume-deliver', { method: 'POST' });
  expect(await paused()).toEqual([]);
  expect(written).toEqual(['pause', 'resume'].map((action) => expect.objectContaining({ queue: 'deliver', action })));
});

test('without ADMIN_WRITE it changes nothing, and shows no form', async () => {
  expect(await pageOf('')).not.toContain('<form');
  expect((await ask('pause-deliver', { method: 'POST' })).status).toBe(403);
  expect(await paused()).toEqual([]);
});

test('a page of another site cannot pause a queue with the login that the browser keeps', async () => {
  await end();
  await serve({ write: true });
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { origin: 'https://evil.example.com' },
    { origin: 'null' },
  ])
    expect((await ask('pause-fan-out', { method: 'POST', headers })).status).toBe(403);
  expect(await paused()).toEqual([]);
});

test('a view ends while Postgres does not answer, and says so', async () => {
  await insertDelivery(db, endpoint);
  await inTransaction(db, async (transaction) => {
    await transaction.$executeRaw`lock table delivery in access exclusive mode`;
    const answer = await ask('deliver');
    expect([answer.status, await answer.text()]).toEqual([
      503,
      expect.stringContaining('Postgres did not answer in time'),
    ]);
  });
  expect((await ask('deliver')).status).toBe(200);
});
