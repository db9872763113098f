import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fromId } from '@posthorn/contract/ids';
import { ageEvent } from '@posthorn/testkit/age-event';
import { waitFor } from '@posthorn/testkit/wait-for';
import type { Rig } from '../rig.ts';
import type { Outcome, Row, Tools } from '../row.ts';
import { loadWhile, restart } from './restarts.ts';

// The path is relative to dist/rows, where the compiled file is.
const PROGRAM = fileURLToPath(new URL('../../../../packages/cli/bundle/main.js', import.meta.url));
const SEALING_KEYS = `test:${randomBytes(32).toString('base64')}`;
const RETENTION_DAYS = 7;
const CLOSED_MS = RETENTION_DAYS * 86_400_000 - 3_600_000;
const NAME = 'laptop';
const EVENT_TYPE = 'load.laptop';

export const listenReconnect: Row = {
  name: 'listen-reconnect',
  fault:
    '`posthorn listen` runs while the API restarts 10 times; then it is closed for an hour less than the retention, with 500 events',
  pass: 'everything arrives, once, oldest first',
  rig: {
    apis: 1,
    dispatchers: 1,
    endpoints: 0,
    settings: { SEALING_KEYS, RETENTION_DAYS: `${RETENTION_DAYS}` },
  },
  run: reconnect,
};

async function reconnect(rig: Rig, { random, scaled, say }: Tools): Promise<Outcome> {
  const [api] = rig.apis;
  if (api === undefined) throw new Error('no API runs');
  await rig.client.call('POST', '/event-types', { name: EVENT_TYPE, publishIn: [rig.environmentId] });
  const home = mkdtempSync(join(tmpdir(), 'posthorn-listen-'));
  const to = [{ eventType: EVENT_TYPE, endpoints: [NAME] }];
  const inOrder = { to, concurrency: 1 };
  let laptop = await listen(rig, home);
  try {
    const { body } = await rig.client.call<{ id: string }>('GET', `/endpoints/ext:listen:${NAME}`);
    const uuid = fromId('ep', body.id) ?? '';
    rig.endpoints.push({ name: NAME, id: body.id, uuid, eventType: EVENT_TYPE });
    const restarts = async () => {
      for (let n = 0; n < scaled(10); n += 1) {
        await rig.elapsed(random.whole(200, 2_000));
        await restart(api);
        say(`restart ${n + 1}: ${rig.receivers.receipts.length} of ${rig.load.accepted()} have arrived`);
      }
    };
    // The events are sent one after the other, because only then do they have an order.
    await loadWhile(inTurn(rig), { perSecond: 5, to }, restarts());
    await rig.drain();
    say(`closed after ${rig.receivers.receipts.length} of ${rig.load.accepted()}`);
    await close(laptop);
    const before = rig.load.sent.length;
    await rig.load.burst(scaled(500), inOrder);
    const missed = rig.load.sent.slice(before);
    const waiting = () => rig.db.delivery.count({ where: { endpointId: uuid, dueAt: { not: null } } });
    await waitFor(async () => (await waiting()) === missed.length, { what: 'what waits', timeoutMs: 60_000 });
    for (const event of missed) {
      event.eventId = await ageEvent(rig, {
        eventId: event.eventId ?? '',
        ageMs: CLOSED_MS,
        sealingKeys: SEALING_KEYS,
      });
    }
    laptop = await listen(rig, home);
    await rig.drain();
  } finally {
    await close(laptop);
    rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
  const { receipts } = rig.receivers;
  const places = new Map(rig.load.sent.map(({ hash }, index) => [hash, index]));
  const order = receipts.map(({ hash }) => places.get(hash) ?? -1);
  return {
    duplicatesAtMost: 0,
    marks: [
      { what: 'arrived', value: new Set(order).size, atLeast: rig.load.sent.length },
      { what: 'arrived again', value: order.length - new Set(order).size, atMost: 0 },
      { what: 'order violations', value: order.filter((n, at) => n < (order[at - 1] ?? -1)).length, atMost: 0 },
    ],
  };
}

/** The same load, but each event is sent after the response to the one before it. */
function inTurn({ load }: Rig): Rig['load'] {
  let last: Promise<void> = Promise.resolve();
  return {
    ...load,
    steady(perSecond, seconds, options = {}) {
      last = last.then(() => load.burst(Math.round(perSecond * seconds), { ...options, concurrency: 1 }));
      return last;
    },
  };
}

async function listen(rig: Rig, home: string): Promise<ChildProcess> {
  const receiver = rig.receivers.urlOf(NAME);
  const child = spawn(process.execPath, [PROGRAM, 'listen', receiver, '--insecure', '--name', NAME], {
    cwd: home,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      POSTHORN_BASE_URL: rig.apis[0]?.url,
      POSTHORN_TOKEN: rig.managementToken,
      POSTHORN_WORKSPACE_ID: rig.workspaceId,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr?.on('data', (chunk) => {
    said += chunk;
  });
  await waitFor(() => said.includes('Ready') || child.exitCode !== null, { what: 'posthorn listen to be ready' });
  if (!said.includes('Ready')) throw new Error(`posthorn listen ended with ${child.exitCode}: ${said}`);
  return child;
}

async function close(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGINT');
  await once(child, 'exit');
}
