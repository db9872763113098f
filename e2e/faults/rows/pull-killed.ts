import { fromId } from '@posthorn/contract/ids';
import type { Random } from '../random.ts';
import { hashOf } from '../receivers.ts';
import type { Endpoint, Rig } from '../rig.ts';
import type { Outcome, Row, Tools } from '../row.ts';
import { type Position, violations } from './order.ts';
import { loadWhile, readyAgain } from './restarts.ts';

export const pullKilled: Row = {
  name: 'pull-killed',
  fault:
    'consumers fetch 20,000 events from two pull endpoints, one of them fifo; consumers, APIs and dispatchers are killed in turn, Redis is flushed, and Postgres restarted',
  pass: 'lost 0, acknowledged once or leased again after the lease, never two holders, order violations 0',
  rig: { endpoints: 0 },
  run: killAll,
};

const KEYS = 100;
const EVENTS = 20_000;
const DEATHS = 12;
const CONSUMERS = 3;
const LEASE_SECONDS = 5;
const ANSWERS_FOR_MS = 60_000;

type PullEndpoint = Endpoint & { pullKey: string };

async function killAll(rig: Rig, { random, scaled, say }: Tools): Promise<Outcome> {
  const plain = await addPullEndpoint(rig, 'pulled', {});
  const fifo = await addPullEndpoint(rig, 'pulled-fifo', { ordering: 'fifo' });
  const record = createRecord(rig);
  const consumers = [plain, fifo].flatMap((endpoint) =>
    Array.from({ length: CONSUMERS }, () => startConsumer(rig, endpoint, { random, record })),
  );
  const deaths = { consumers: 0, services: 0 };
  const killConsumer = () => {
    const index = random.whole(0, consumers.length - 1);
    const victim = consumers[index];
    if (victim === undefined) return;
    victim.kill();
    deaths.consumers += 1;
    consumers[index] = startConsumer(rig, victim.endpoint, { random, record });
  };
  const services = [...rig.apis, ...rig.dispatchers];
  const faults = async () => {
    const wanted = Math.max(4, scaled(DEATHS));
    for (let n = 0; n < wanted; n += 1) {
      await rig.elapsed(random.whole(500, 2_000));
      killConsumer();
      // The victims are an API, a dispatcher, the next API, and so on.
      const kind = n % 2 === 0 ? rig.apis : rig.dispatchers;
      const victim = kind[Math.floor(n / 2) % kind.length];
      if (victim === undefined) throw new Error('no process runs');
      await victim.kill();
      deaths.services += 1;
      killConsumer();
      await readyAgain(victim);
      say(
        `${victim.name} was killed and is ready again; ${rig.receivers.receipts.length} of ${rig.load.accepted()} leased`,
      );
      if (n === Math.floor(wanted / 3)) await rig.redis.flush();
      if (n === Math.floor((2 * wanted) / 3)) {
        await rig.postgres.stop();
        await rig.elapsed(random.whole(500, 3_000));
        await rig.postgres.start();
      }
    }
    say(`${deaths.consumers} consumers and ${deaths.services} of ${services.length} services were killed`);
  };
  const positions = new Map<string, Position>();
  const sendKey = async (key: string) => {
    for (let n = 0; n < scaled(EVENTS / 2 / KEYS); n += 1) {
      await rig.load.burst(1, {
        to: [{ eventType: fifo.eventType, endpoints: [fifo.name] }],
        headers: { 'x-ordering-key': key },
        onEvent: ({ hash }) => void positions.set(hash, { key, n }),
      });
    }
  };
  const to = [{ eventType: plain.eventType, endpoints: [plain.name] }];
  try {
    await Promise.all([
      loadWhile(rig.load, { perSecond: 20, to }, faults()),
      rig.load.burst(scaled(EVENTS / 2), { to }),
      ...Array.from({ length: KEYS }, (_, n) => sendKey(`key-${n}`)),
    ]);
    say(`drained after ${Math.round(await rig.drain(300_000))} ms`);
  } finally {
    for (const consumer of consumers) consumer.kill();
    await Promise.all(consumers.map(({ ended }) => ended));
  }
  for (const line of record.examples) say(line);
  const { counts } = record;
  return {
    duplicatesAtMost: 0,
    marks: [
      { what: 'deaths', value: deaths.services + deaths.consumers },
      { what: 'accepted', value: rig.load.accepted(), atLeast: 2 * scaled(EVENTS / 2) },
      { what: 'two holders', value: counts.twoHolders, atMost: 0 },
      { what: 'acknowledged twice', value: counts.acknowledgedTwice, atMost: 0 },
      { what: 'order violations', value: violations(rig.receivers.receipts, positions), atMost: 0 },
      { what: 'answers refused', value: counts.refused, atMost: 0 },
      { what: 'leases lost', value: counts.lost },
    ],
  };
}

async function addPullEndpoint(rig: Rig, name: string, config: object): Promise<PullEndpoint> {
  const { client, environmentId } = rig;
  const eventType = `load.${name.replaceAll('-', '_')}`;
  await client.call('POST', '/event-types', { name: eventType, publishIn: [environmentId] });
  const made = await client.call<{ id: string; pullKey: string }>('POST', '/endpoints', {
    type: 'pull',
    environmentId,
    config,
    eventTypes: [{ name: eventType }],
  });
  if (made.status !== 201) throw new Error(`the endpoint was refused: ${JSON.stringify(made.body)}`);
  const { id, pullKey } = made.body;
  const endpoint = { name, id, uuid: fromId('ep', id) ?? '', eventType };
  rig.endpoints.push(endpoint);
  return { ...endpoint, pullKey };
}

type Message = {
  deliveryId: string;
  leaseToken: string;
  leasedUntil: string;
  attemptNumber: number;
  eventId: string;
  body: string;
};

/** The time in which no other consumer may hold the delivery, by the clock that Postgres and this process share. */
type Hold = { leaseToken: string; fromMs: number; untilMs: number };

type Record = ReturnType<typeof createRecord>;

/** Postgres has microseconds, but its responses have whole milliseconds. */
const GRAIN_MS = 2;
const EXAMPLES = 5;

/** Records what consumers got and did, and counts the promises that this breaks. */
function createRecord({ receivers }: Rig) {
  const holds = new Map<string, Hold[]>();
  const acknowledged = new Map<string, string>();
  const counts = { twoHolders: 0, acknowledgedTwice: 0, refused: 0, lost: 0 };
  const examples: string[] = [];
  const tell = (words: string) => {
    if (examples.length < EXAMPLES) examples.push(words);
  };
  return {
    counts,
    examples,
    leased(endpoint: string, { deliveryId, leaseToken, leasedUntil, ...message }: Message): Hold {
      const { eventId, attemptNumber: attempt, body } = message;
      const hash = hashOf(Buffer.from(body, 'base64'));
      receivers.receipts.push({ endpoint, eventId, attempt, hash, atMs: Date.now() });
      const untilMs = Date.parse(leasedUntil);
      const hold = { leaseToken, fromMs: untilMs - 1_000 * LEASE_SECONDS, untilMs };
      const others = holds.get(deliveryId) ?? [];
      for (const other of others) {
        const isApart = hold.fromMs >= other.untilMs - GRAIN_MS || other.fromMs >= hold.untilMs - GRAIN_MS;
        if (isApart && other.leaseToken !== leaseToken) continue;
        counts.twoHolders += 1;
        tell(`two holders of ${deliveryId}: ${JSON.stringify([other, hold])}, attempt ${attempt}`);
      }
      holds.set(deliveryId, [...others, hold]);
      return hold;
    },
    acknowledged(deliveryId: string, leaseToken: string) {
      const earlier = acknowledged.get(deliveryId);
      acknowledged.set(deliveryId, leaseToken);
      if (earlier === undefined || earlier === leaseToken) return;
      counts.acknowledgedTwice += 1;
      tell(`acknowledged twice: ${deliveryId}, ${earlier} and ${leaseToken}`);
    },
    refused(words: string) {
      counts.refused += 1;
      tell(`refused: ${words}`);
    },
  };
}

type Consumer = { endpoint: PullEndpoint; kill: () => void; ended: Promise<void> };

function startConsumer(rig: Rig, endpoint: PullEndpoint, given: { random: Random; record: Record }): Consumer {
  const life = new AbortController();
  const ended = consume(rig, endpoint, { ...given, signal: life.signal });
  return { endpoint, kill: () => life.abort(), ended };
}

type Given = { random: Random; record: Record; signal: AbortSignal };

/** A function that asks the next API. Undefined if there is no usable response. */
function createAsk(rig: Rig, { id, pullKey }: PullEndpoint, { random, record, signal }: Given) {
  let turn = random.whole(0, rig.apis.length - 1);
  return async <Answer>(name: string, body: object): Promise<Answer | undefined> => {
    turn += 1;
    const url = `${rig.apis[turn % rig.apis.length]?.url}/api/pull/${id}/${name}`;
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { authorization: `Bearer ${pullKey}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.any([signal, AbortSignal.timeout(20_000)]),
      });
      const answer = await response.json();
      if (response.ok) return answer as Answer;
      if (response.status < 500 && response.status !== 429) record.refused(`${name}: ${JSON.stringify(answer)}`);
    } catch {
      // A process was killed: this one or the API. Whether the API has acted is unknown.
    }
    return undefined;
  };
}

type Held = { message: Message; hold: Hold };
type Results = { results: { deliveryId: string; result: string; leasedUntil?: string | null }[] };

/**
 * A consumer that follows the documentation: it repeats a request until it knows the result. It forgets some messages.
 */
async function consume(rig: Rig, endpoint: PullEndpoint, given: Given): Promise<void> {
  const { random, record, signal } = given;
  const ask = createAsk(rig, endpoint, given);
  const answer = async (name: 'ack' | 'nack' | 'extend', held: Held[], more: object = {}) => {
    const messages = held.map(({ message: { deliveryId, leaseToken } }) => ({ deliveryId, leaseToken, ...more }));
    const untilMs = Date.now() + ANSWERS_FOR_MS;
    while (held.length > 0 && !signal.aborted && Date.now() < untilMs) {
      const answered = await ask<Results>(name, { messages });
      if (answered !== undefined) return answered.results.flatMap((one, n) => ({ ...one, ...(held[n] as Held) }));
      await rig.elapsed(100);
    }
    return [];
  };
  while (!signal.aborted) {
    const most = { max: random.whole(1, 20), waitSeconds: 5, leaseSeconds: LEASE_SECONDS };
    const leased = await ask<{ messages: Message[] }>('lease', most);
    if (leased === undefined) {
      await rig.elapsed(100);
      continue;
    }
    const held = leased.messages.map((message) => ({ message, hold: record.leased(endpoint.name, message) }));
    const { extended, nacked, acked } = drawEnds(random, held);
    for (const { hold, leasedUntil } of await answer('extend', extended, { leaseSeconds: 2 * LEASE_SECONDS })) {
      if (leasedUntil) hold.untilMs = Math.max(hold.untilMs, Date.parse(leasedUntil));
    }
    const sentMs = Date.now();
    for (const { hold } of [...nacked, ...acked]) hold.untilMs = Math.min(hold.untilMs, sentMs);
    for (const { hold, result } of await answer('nack', nacked, { delaySeconds: 1 })) {
      if (result === 'settled') hold.untilMs = sentMs + 1_000;
      else record.counts.lost += 1;
    }
    for (const { deliveryId, hold, result } of await answer('ack', acked)) {
      if (result === 'settled') record.acknowledged(deliveryId, hold.leaseToken);
      else record.counts.lost += 1;
    }
  }
}

/**
 * Draws how messages end: some are never settled, some are given back, the others acknowledged, some of
 * them held longer.
 */
function drawEnds(random: Random, held: Held[]) {
  const lots = held.map((one) => ({ ...one, lot: random.whole(1, 100) }));
  return {
    nacked: lots.filter(({ lot }) => lot > 3 && lot <= 8),
    acked: lots.filter(({ lot }) => lot > 8),
    extended: lots.filter(({ lot }) => lot > 95),
  };
}
