import { connect } from 'node:net';
import { fromId, newUuid } from '@posthorn/contract/ids';
import { quantile } from '../oracle.ts';
import type { Rig } from '../rig.ts';
import type { Outcome, Row, Tools } from '../row.ts';
import { ask, type Reply } from './ask.ts';
import { noServerErrors } from './marks.ts';
import { addOtherWorkspace, type OtherWorkspace } from './other-workspace.ts';
import { startsOf } from './starts.ts';

const PER_SECOND = 10;
const ARRIVES_WITHIN_MS = 1_000;

/** Rows in which one person, or the customers of one workspace, take from the others. */
export const shareRows: readonly Row[] = [
  {
    name: 'hanging-many-workspaces',
    fault: 'one person has 240 endpoints that never answer: first 3 workspaces with 80 each, then 6 with 40 each',
    pass: 'events of another tenant arrive ≤ 1 s, at a known endpoint and at a new one',
    withinMinutes: 14,
    rig: { gates: false },
    run: hangInManyWorkspaces,
  },
  {
    name: 'body-trickle',
    fault: "1,024 connections with API keys of one person's four workspaces announce 16 KiB and send a byte every 4 s",
    pass: 'every event of another tenant is accepted ≤ 1 s',
    rig: { gates: false, apis: 1, dispatchers: 1 },
    run: trickle,
  },
  {
    name: 'portals-together',
    fault: 'the portals of four customers change endpoints without a pause, each with 8 requests at once',
    pass: "the operator's own changes are answered ≤ 1 s, none is refused",
    rig: { gates: false, apis: 1, dispatchers: 1, settings: { CHANGES_PER_DAY: 'application:0' } },
    run: portalsTogether,
  },
];

async function hangInManyWorkspaces(rig: Rig, { random, scaled, say }: Tools): Promise<Outcome> {
  const known = await rig.addEndpoint({ name: 'known', loaded: false });
  await rig.load.burst(scaled(2_000), { to: [{ eventType: known.eventType, endpoints: ['known'] }] });
  await rig.drain();
  const marks: Outcome['marks'] = [];
  for (const workspaces of [3, 6]) {
    const ownerId = newUuid(new Date());
    const each = scaled(240 / workspaces);
    const hanging: string[] = [];
    const others: OtherWorkspace[] = [];
    for (let n = 0; n < workspaces; n += 1) {
      const other = await ownedBy(rig, { ownerId, random });
      others.push(other);
      for (let m = 0; m < each; m += 1) {
        const name = `hangs-${workspaces}-${n}-${m}`;
        hanging.push(name);
        await other.addEndpoint({ name, behaviour: () => ({ raw: () => undefined }) });
      }
    }
    await Promise.all(others.map((other) => other.load.burst(2 * each, { concurrency: 4 })));
    const fromMs = Date.now();
    const fresh = await rig.addEndpoint({ name: `new-${workspaces}`, loaded: false });
    const to = [known, fresh].map(({ eventType, name }) => ({ eventType, endpoints: [name] }));
    await rig.load.steady(PER_SECOND, Math.max(5, scaled(20)), { to });
    await rig.elapsed(ARRIVES_WITHIN_MS);
    for (const name of [known.name, fresh.name]) {
      const slowest = quantile(startsOf(rig, name, { fromMs }), 1);
      say(`${workspaces} workspaces × ${each} hanging endpoints: slowest event to ${name} after ${slowest} ms`);
      const what = `${workspaces} × ${each}: slowest to ${name === known.name ? 'a known' : 'a new'} endpoint`;
      marks.push({ what, unit: 'ms', value: slowest, atMost: ARRIVES_WITHIN_MS });
    }
    for (const name of hanging) rig.receivers.respond(name, () => ({}));
    await rig.drain(5 * 60_000);
  }
  return { duplicatesAtMost: 0, retriesLateAtMostMs: 120_000, marks };
}

/** Adds a workspace that belongs to this account. */
async function ownedBy(rig: Rig, { ownerId, random }: { ownerId: string; random: Tools['random'] }) {
  const other = await addOtherWorkspace(rig, random.fork('workspace'));
  const id = fromId('ws', other.workspaceId) ?? '';
  await rig.db.workspace.update({ where: { id }, data: { createdBy: ownerId } });
  return other;
}

const TRICKLE_EVERY_MS = 4_000;

async function trickle(rig: Rig, { random, scaled, say }: Tools): Promise<Outcome> {
  const ownerId = newUuid(new Date());
  const keys: string[] = [];
  for (let n = 0; n < 4; n += 1) keys.push((await ownedBy(rig, { ownerId, random })).apiKey);
  const { hostname, port } = new URL(rig.apis[0]?.url ?? '');
  const sockets = Array.from({ length: scaled(1_024) }, (_, n) => {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('error', () => undefined); // The API may cut the connection.
    socket.resume();
    const lines = [
      'POST /api/ingest/event/load.e0 HTTP/1.1',
      `Host: ${hostname}`,
      `Authorization: Bearer ${keys[n % keys.length]}`,
      'Content-Type: application/json',
      `Content-Length: ${16 * 1_024}`,
    ];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    return socket;
  });
  const dripping = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write(' ');
  }, TRICKLE_EVERY_MS);
  try {
    await rig.elapsed(TRICKLE_EVERY_MS);
    const before = rig.load.answers.length;
    await rig.load.steady(PER_SECOND, Math.max(10, scaled(30)), { againForMs: 0 });
    const answers = rig.load.answers.slice(before);
    const slowestMs = Math.max(...answers.map(({ afterMs }) => afterMs));
    const open = sockets.filter((socket) => socket.writable).length;
    say(`${open} of ${sockets.length} slow connections are open; slowest of ${answers.length} events ${slowestMs} ms`);
    return {
      duplicatesAtMost: 0,
      marks: [
        { what: 'slowest event', unit: 'ms', value: slowestMs, atMost: 1_000 },
        { what: 'events refused', value: answers.filter(({ status }) => status !== 202).length, atMost: 0 },
        noServerErrors(rig),
      ],
    };
  } finally {
    clearInterval(dripping);
    for (const socket of sockets) socket.destroy();
  }
}

const CUSTOMERS = 4;
const AT_ONCE = 8;

async function portalsTogether(rig: Rig, { scaled, say }: Tools): Promise<Outcome> {
  const base = rig.apis[0]?.url ?? '';
  const operator = `${base}/management/v1/workspaces/${rig.workspaceId}`;
  const portals: { token: string; endpoint: string }[] = [];
  for (let n = 0; n < CUSTOMERS; n += 1) {
    const application = await rig.client.call<{ id: string }>('POST', '/applications', { name: `Customer ${n}` });
    const path = `/applications/${application.body.id}/portal-sessions`;
    const session = await rig.client.call<{ token: string }>('POST', path, { environmentId: rig.environmentId });
    const { token } = session.body;
    const made = await ask('POST', `${base}/api/portal/endpoints`, { token, body: { url: 'https://127.0.0.1/' } });
    portals.push({ token, endpoint: String(JSON.parse(made.text).id) });
  }
  let isOver = false;
  let byPortals = 0;
  const changes = portals.flatMap(({ token, endpoint }) =>
    Array.from({ length: AT_ONCE }, async (_, n) => {
      for (let m = 0; !isOver; m += 1) {
        const body = { description: `${n} ${m}` };
        await ask('PATCH', `${base}/api/portal/endpoints/${endpoint}`, { token, body });
        byPortals += 1;
      }
    }),
  );
  const own: Reply[] = [];
  for (let n = 0; n < Math.max(20, scaled(100)); n += 1) {
    const body = { name: `Own ${n}` };
    own.push(await ask('POST', `${operator}/applications`, { token: rig.managementToken, body }));
  }
  isOver = true;
  await Promise.all(changes);
  const slowestMs = Math.max(...own.map(({ afterMs }) => afterMs));
  say(`${byPortals} changes by portals, the slowest of ${own.length} of the operator ${slowestMs.toFixed(0)} ms`);
  return {
    duplicatesAtMost: 0,
    marks: [
      { what: 'slowest own change', unit: 'ms', value: slowestMs, atMost: 1_000 },
      { what: 'own changes refused', value: own.filter(({ status }) => status !== 201).length, atMost: 0 },
      { what: 'changes by portals', value: byPortals, atLeast: 20 },
    ],
  };
}
