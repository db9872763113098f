import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createApiClient } from '@posthorn/testkit/api-client';
import type { Rig } from '../rig.ts';
import type { Mark, Row, Tools } from '../row.ts';
import { endedWell, loadWhile, type Restart, restart, serverErrors } from './restarts.ts';
import { type SignedEndpoint, startVerifyingReceiver } from './verifying-receiver.ts';

const newKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const SEALING = { old: newKey('k1'), next: newKey('k2') };
const CURSOR = { old: newKey('c1'), next: newKey('c2') };
/** The path is relative to dist, where the compiled file is. */
const ADMIN = fileURLToPath(new URL('../../../../services/api/dist/admin.js', import.meta.url));

export const rotationRows: readonly Row[] = [
  {
    name: 'keys-rotated',
    fault: 'key-encryption key, cursor key and signing secrets are rotated under load, as restore.md describes',
    pass: 'failures 0: every event delivered, every signature valid, every page read, 5xx 0',
    rig: { dispatchers: 2, settings: { SEALING_KEYS: SEALING.old, CURSOR_KEYS: CURSOR.old } },
    run: rotate,
  },
];

async function rotate(rig: Rig, { scaled, say }: Tools) {
  const receiver = await startVerifyingReceiver(rig);
  try {
    const endpoints: SignedEndpoint[] = [];
    for (let n = 0; n < Math.max(2, scaled(10)); n += 1) endpoints.push(await receiver.addEndpoint(`signed-${n}`));
    const to = [
      ...endpoints.map(({ eventType, name }) => ({ eventType, endpoints: [name] })),
      ...rig.endpoints.slice(0, 5).map(({ eventType, name }) => ({ eventType, endpoints: [name] })),
    ];
    const restarts: Restart[] = [];
    const reader = createReader(rig);
    const rotator = createRotator(rig, endpoints);
    const turn = async (order: (keys: { old: string; next: string }) => string) => {
      const settings = { SEALING_KEYS: order(SEALING), CURSOR_KEYS: order(CURSOR) };
      const before = await reader.firstPages();
      for (const member of [...rig.dispatchers, ...rig.apis]) {
        restarts.push(await restart(member, { settings }));
        await rotator.rotateDue();
        await reader.readOn();
      }
      return before;
    };
    const first = async () => {
      await rig.elapsed(2_000);
      await reader.readAfter(await turn(({ old, next }) => `${old},${next}`));
      await reader.readAfter(await turn(({ old, next }) => `${next},${old}`));
      say(`resealed: ${await reseal(rig, `${SEALING.next},${SEALING.old}`)}`);
    };
    await loadWhile(rig.load, { perSecond: 30, to }, first());
    // The old key is removed only when nothing is sealed with it.
    await rig.drain();
    reader.forget();
    const last = async () => {
      await turn(({ next }) => next);
      await rig.elapsed(scaled(10_000));
      await rotator.rotateDue();
    };
    await loadWhile(rig.load, { perSecond: 30, to }, last());
    await rig.drain();
    say(`${receiver.counts.verified} requests verified, ${rotator.counts.rotated} secrets rotated`);
    const marks: Mark[] = [
      { what: 'not verified', value: receiver.counts.unverified, atMost: 0 },
      { what: 'signed by an ended secret', value: receiver.counts.signedByEnded, atMost: 0 },
      { what: 'verified', value: receiver.counts.verified, atLeast: 1 },
      { what: 'secrets rotated', value: rotator.counts.rotated, atLeast: endpoints.length },
      { what: 'calls that failed', value: rotator.counts.failed + reader.counts.failed, atMost: 0 },
      { what: 'pages read', value: reader.counts.read, atLeast: 1 },
      ...endedWell(restarts),
      serverErrors(rig),
    ];
    return { duplicatesAtMost: 0, marks };
  } finally {
    await receiver.close();
  }
}

async function reseal(rig: Rig, keys: string): Promise<string> {
  const env = { PATH: process.env.PATH, DATABASE_URL: rig.databaseUrl, SEALING_KEYS: keys };
  const { stdout } = await promisify(execFile)(process.execPath, [ADMIN, 'reseal'], { env, timeout: 60_000 });
  return stdout.trim();
}

const GRACE_SECONDS = 10;
/**
 * The time between rotations of a secret. At most three secrets are live: a grace ends before the third
 * rotation after it.
 */
const EVERY_MS = 6_000;

/** Rotates the signing secrets of the endpoints in turn, as their owner would. */
function createRotator(rig: Rig, endpoints: readonly SignedEndpoint[]) {
  const counts = { rotated: 0, failed: 0 };
  const rotatedAtMs = new Map<string, number>();
  const rotateOne = async ({ id, name, secrets }: SignedEndpoint) => {
    rotatedAtMs.set(name, Date.now());
    const askedAtMs = Date.now();
    const body = { gracePeriodSeconds: GRACE_SECONDS };
    const { status, body: answer } = await rig.client.call('POST', `/endpoints/${id}/secret/rotate`, body);
    if (status !== 200) {
      counts.failed += 1;
      return;
    }
    counts.rotated += 1;
    const current = secrets.at(-1);
    if (current !== undefined) current.untilMs = askedAtMs + GRACE_SECONDS * 1_000;
    secrets.push({ secret: String(answer.secret), fromMs: Date.now(), untilMs: Number.POSITIVE_INFINITY });
  };
  return {
    counts,
    async rotateDue() {
      for (const endpoint of endpoints) {
        if (Date.now() - (rotatedAtMs.get(endpoint.name) ?? 0) >= EVERY_MS) await rotateOne(endpoint);
      }
    },
  };
}

type Page = { items: unknown[]; nextCursor: string | null };

/** Keeps reading the list of deliveries. One API makes each cursor, and another one gets it. */
function createReader(rig: Rig) {
  const counts = { read: 0, failed: 0 };
  const clients = rig.apis.map(({ url }) => createApiClient({ ...rig, baseUrl: url }));
  let turn = 0;
  let cursor: string | null = null;
  const read = async (from: string | null): Promise<string | null> => {
    turn += 1;
    const client = clients[turn % clients.length];
    const at = from === null ? '' : `&cursor=${encodeURIComponent(from)}`;
    const reply = await client?.call<Page>('GET', `/deliveries?limit=10${at}`);
    if (reply?.status === 200) counts.read += 1;
    else counts.failed += 1;
    return reply?.status === 200 ? reply.body.nextCursor : null;
  };
  return {
    counts,
    /** Reads a first page from each API, and keeps the cursors for later use. */
    async firstPages() {
      return Promise.all(clients.map(() => read(null)));
    },
    async readAfter(cursors: (string | null)[]) {
      for (const one of cursors) if (one !== null) await read(await read(one));
    },
    async readOn() {
      cursor = await read(cursor);
    },
    forget() {
      cursor = null;
    },
  };
}
