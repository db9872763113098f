import { fromId, toId } from '@posthorn/contract/ids';
import { startTcpGate } from '@posthorn/testkit/tcp-gate';
import type { Broker, Fault, Scene, StartBroker } from '../brokers/broker.ts';
import { readHistory } from '../history.ts';
import { createLoad, type Load } from '../load.ts';
import { type Move, quantile } from '../oracle.ts';
import type { Rig } from '../rig.ts';
import type { Mark, Outcome, Tools } from '../row.ts';
import { addOtherWorkspace } from './other-workspace.ts';
import { loadWhile } from './restarts.ts';
import { startsOf } from './starts.ts';

/** The steady rate of webhooks to the other tenant. */
const PER_SECOND = 20;
const DEATHS = 5;
const BETWEEN_MS = 1_000;
const EVENT_TYPE = 'load.broker';
const WEBHOOK = 'webhook';
/** The smallest difference to judge: on a fast machine, a tenth is less than the resolution of the clocks. */
const GRAIN_MS = 20;
const DRAIN_WITHIN_MS = 8 * 60_000;

/** A fault that every broker can have. The faults of its own kind come after the common ones. */
const DIES: Fault = {
  what: 'it is killed and started again',
  strike: ({ broker, gate }) => broker.kill?.() ?? gate().shut(),
  holdMs: 2_000,
  end: ({ broker, gate }) => broker.start?.() ?? gate().open(),
};
const COMMON: readonly Fault[] = [
  {
    what: 'its open connections are silent',
    strike: async ({ gate }) => gate().freeze('existing'),
    // Longer than an attempt may take.
    holdMs: 20_000,
    end: async ({ gate }) => gate().cut(),
  },
  {
    what: 'it hangs, and goes on',
    strike: async ({ gate }) => gate().freeze(),
    holdMs: 5_000,
    end: async ({ gate }) => gate().thaw(),
    keepsMessages: true,
  },
];
const MOVES: Fault = {
  what: 'it has moved to another port',
  strike: ({ gate }) => gate().shut(),
  holdMs: 3_000,
  end: ({ moveGate }) => moveGate(),
};

/** How the broker is started, the number of events in the burst around each fault, and the steady rate per second. */
export type Published = { start: StartBroker; burst: number; perSecond: number };

/** Publishes through every fault. Compares the accepted and delivered events with those that a consumer finds. */
export async function publishThroughFaults(published: Published, rig: Rig, tools: Tools): Promise<Outcome> {
  // The broker must know the gate's port when it starts, and the gate the broker's, so the gate first leads nowhere.
  let gate = await startTcpGate(NOWHERE);
  const broker = await published.start(portOf(gate.url));
  try {
    gate.moveTo(broker.url);
    const { endpointId, uuid } = await addEndpoint(rig, broker, portOf(gate.url));
    const scene: Scene = {
      broker,
      gate: () => gate,
      async moveGate() {
        gate = await startTcpGate(broker.url);
        const port = portOf(gate.url);
        if (broker.announce !== undefined) {
          await broker.announce(port);
          await broker.kill?.();
          await broker.start?.();
        }
        await moveEndpoint(rig, endpointId, broker.endpointAt(port));
      },
    };
    const { burst, perSecond } = published;
    return await measure({ scene, uuid, burst: tools.scaled(burst), perSecond }, rig, tools);
  } finally {
    await gate.close();
    await broker.stop();
  }
}

const NOWHERE = 'tcp://127.0.0.1:1';

type Measured = { scene: Scene; uuid: string } & Pick<Published, 'burst' | 'perSecond'>;

async function measure({ scene, uuid, burst, perSecond }: Measured, rig: Rig, tools: Tools): Promise<Outcome> {
  const { scaled, say, random } = tools;
  const other = await addOtherWorkspace(rig, random);
  await other.addEndpoint({ name: WEBHOOK });
  const load = createLoad({
    apis: () => rig.apis,
    apiKey: rig.apiKey,
    targets: () => [{ eventType: EVENT_TYPE, endpoints: ['broker'] }],
    random: random.fork('broker'),
  });
  const deaths = Array.from({ length: scaled(DEATHS) }, () => ({ ...DIES, holdMs: random.whole(500, DIES.holdMs) }));
  const faults = [...deaths, ...COMMON, ...scene.broker.faults, MOVES];
  // The calm time has the same bursts and durations, so that only the faults make a difference.
  const calm = faults.map(({ holdMs }): Fault => ({ what: 'nothing', holdMs, end: async () => undefined }));

  // Warm up, because cold processes would measure the compilation of V8.
  await Promise.all([load.burst(burst), other.load.burst(burst)]);
  await rig.drain();
  const suffered = await loadWhile(
    other.load,
    { perSecond: PER_SECOND },
    loadWhile(load, { perSecond }, sufferEach([...calm, ...faults], { scene, rig, load, tools, burst })),
  );
  const recoveryMs = await rig.drain(DRAIN_WITHIN_MS);
  const starts = suffered.map(({ fault, strikes, ends }) => {
    const ofFault = startsOf(rig, WEBHOOK, { fromMs: strikes.toMs, untilMs: ends.fromMs });
    say(`${fault.what}: p99 start of webhooks ${quantile(ofFault, 0.99)} ms of ${ofFault.length}`);
    return ofFault;
  });
  const evidence = await collect(scene.broker, uuid, rig, load);
  const inFlight = await countInFlight(rig, uuid, { moves: evidence.moves, suffered });
  const p99 = (of: readonly number[][]) => quantile(of.flat(), 0.99);
  const [was, is] = [p99(starts.slice(0, calm.length)), p99(starts.slice(calm.length))];
  say(`${evidence.accepted.size} events, ${evidence.copies} messages, ${inFlight} in flight when a fault struck`);
  for (const example of evidence.examples) say(example);
  const marks: Mark[] = [
    { what: 'accepted events', value: evidence.accepted.size, atLeast: burst * faults.length },
    { what: 'faults', value: faults.length },
    { what: 'events lost', value: evidence.lost, atMost: 0 },
    { what: 'delivered, but not in the broker', value: evidence.falselyDelivered, atMost: 0 },
    { what: 'not delivered', value: evidence.undelivered, atMost: 0 },
    { what: 'messages with another payload', value: evidence.corrupt, atMost: 0 },
    { what: 'messages more than once', value: evidence.repeated, atMost: inFlight },
    { what: 'webhooks of another tenant, p99 start before', unit: 'ms', value: was },
    {
      ...{ what: 'webhooks of another tenant, p99 start', unit: 'ms', value: is },
      atMost: Math.max(1.1 * was, was + GRAIN_MS),
    },
  ];
  return { duplicatesAtMost: 0, recoveryMs, marks };
}

type Span = { fromMs: number; toMs: number };
type Suffered = { fault: Fault; strikes: Span; ends: Span };
type Stage = { scene: Scene; rig: Rig; load: Load; tools: Tools; burst: number };

/** Causes one fault after another, each in the middle of a burst. */
async function sufferEach(faults: readonly Fault[], { scene, rig, load, tools, burst }: Stage): Promise<Suffered[]> {
  const suffered: Suffered[] = [];
  for (const fault of faults) {
    const midway = async () => {
      await fault.prepare?.(scene);
      const strikes = await spanOf(async () => fault.strike?.(scene));
      tools.say(`${fault.what}, after ${load.accepted()} events`);
      await rig.elapsed(fault.holdMs);
      const ends = await spanOf(() => fault.end(scene));
      suffered.push({ fault, strikes, ends });
    };
    await load.burst(burst, { midway });
    await rig.elapsed(BETWEEN_MS);
  }
  return suffered;
}

async function spanOf(work: () => Promise<void>): Promise<Span> {
  const fromMs = Date.now();
  await work();
  return { fromMs, toMs: Date.now() };
}

/**
 * The number of attempts that were under way when a fault struck, or when it ended and let kept messages pass. The rows
 * of attempts tell this. Claims tell it for attempts that left no row.
 */
async function countInFlight(
  { db }: Rig,
  endpointId: string,
  { moves, suffered }: { moves: readonly Move[]; suffered: readonly Suffered[] },
): Promise<number> {
  const spans = suffered.flatMap(({ fault, strikes, ends }) => {
    if (fault.keepsMessages) return fault.strike === undefined ? [ends] : [strikes, ends];
    return fault.strike === undefined ? [] : [strikes];
  });
  const claims = claimsOf(moves);
  const underWay = new Set<string | Claimed>();
  for (const { fromMs, toMs } of spans) {
    const attempts = await db.$queryRaw<{ id: string; eventId: string }[]>`
      select a.id, d.event_id as "eventId" from attempt a join delivery d on d.id = a.delivery_id
      where d.endpoint_id = ${endpointId}::uuid and a.started_at <= ${new Date(toMs)}::timestamptz
        and a.started_at + make_interval(secs => a.duration_ms / 1000) >= ${new Date(fromMs)}::timestamptz`;
    const claimed = claims.filter((claim) => claim.fromMs <= toMs && claim.toMs >= fromMs);
    const known = new Set(attempts.map(({ eventId }) => toId('msg', eventId)));
    for (const { id } of attempts) underWay.add(id);
    // A process that died has left no row of its attempt.
    for (const claim of claimed) if (!known.has(claim.eventId)) underWay.add(claim);
  }
  return underWay.size;
}

type Claimed = Span & { eventId: string };

function claimsOf(moves: readonly Move[]): Claimed[] {
  const claims: Claimed[] = [];
  const last = new Map<string, Span>();
  for (const { eventId, to, atMs } of moves) {
    const before = last.get(eventId);
    if (before !== undefined) before.toMs = atMs;
    last.delete(eventId);
    if (to !== 'delivering') continue;
    const claim = { eventId, fromMs: atMs, toMs: Number.POSITIVE_INFINITY };
    claims.push(claim);
    last.set(eventId, claim);
  }
  return claims;
}

const EXAMPLES = 3;

async function collect(broker: Broker, uuid: string, rig: Rig, load: Load) {
  const accepted = new Map(load.sent.flatMap(({ eventId, hash }) => (eventId === undefined ? [] : [[eventId, hash]])));
  const messages = await broker.read();
  const there = new Set(messages.map(({ eventId }) => eventId));
  const all = await readHistory(rig.db, { eventId: (id) => toId('msg', id), endpoint: (id) => id });
  const moves = all.filter(({ endpoint }) => endpoint === uuid);
  const ends = new Map(moves.map(({ eventId, to }) => [eventId, to]));
  const lost = [...accepted.keys()].filter((id) => !there.has(id));
  const falselyDelivered = [...ends].filter(([id, end]) => end === 'delivered' && !there.has(id));
  const undelivered = [...accepted.keys()].filter((id) => ends.get(id) !== 'delivered');
  const trail = (id: string) => moves.filter(({ eventId }) => eventId === id).map(({ to }) => to);
  return {
    ...{ accepted, moves, lost: lost.length },
    copies: messages.length,
    falselyDelivered: falselyDelivered.length,
    undelivered: undelivered.length,
    corrupt: messages.filter(({ eventId, hash }) => accepted.has(eventId) && accepted.get(eventId) !== hash).length,
    repeated: messages.length - there.size,
    examples: [...new Set([...lost, ...undelivered])].slice(0, EXAMPLES).map((id) => `${id}: ${trail(id).join(', ')}`),
  };
}

async function addEndpoint({ client, environmentId }: Rig, broker: Broker, port: number) {
  await client.call('POST', '/event-types', { name: EVENT_TYPE, publishIn: [environmentId] });
  const types = await client.call<{ id: string; name: string }[]>('GET', '/event-types');
  const eventTypeIds = types.body.filter(({ name }) => name === EVENT_TYPE).map(({ id }) => id);
  const wanted = { type: broker.type, environmentId, ...broker.endpointAt(port) };
  const made = await client.call<{ id: string }>('POST', '/endpoints', wanted);
  if (made.status !== 201) throw new Error(`the endpoint was refused: ${JSON.stringify(made.body)}`);
  const endpointId = made.body.id;
  await client.call('POST', `/endpoints/${endpointId}/subscriptions`, { eventTypeIds });
  return { endpointId, uuid: fromId('ep', endpointId) ?? '' };
}

async function moveEndpoint({ client }: Rig, id: string, place: ReturnType<Broker['endpointAt']>): Promise<void> {
  const { status, body } = await client.call('PATCH', `/endpoints/${id}`, place);
  if (status !== 200) throw new Error(`the endpoint did not move: ${JSON.stringify(body)}`);
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}
