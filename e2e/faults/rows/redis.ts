import type { Receipt } from '../oracle.ts';
import type { Behaviour } from '../receivers.ts';
import type { Rig } from '../rig.ts';
import type { Mark, Row, Tools } from '../row.ts';
import { noServerErrors, sum } from './marks.ts';

const PER_SECOND = 50;
const RESUMES_WITHIN_MS = 30_000;

export const redisRows: readonly Row[] = [
  {
    name: 'redis-flush',
    fault: 'Redis flushed 10 times in 10,000 events, 2,000 retries waiting',
    pass: 'each retry ≤ 5 s late, duplicates ≤ in flight at each flush',
    run: flush,
  },
  {
    name: 'redis-stopped',
    fault: `Redis stopped for 60 s at ${PER_SECOND} events/s`,
    pass: 'no 5xx, first attempts ≤ 5 s after its return',
    async run(rig, { scaled }) {
      const recoveryMs = await takeAway(rig, scaled(60), {
        away: () => rig.redis.stop(),
        back: () => rig.redis.start(),
      });
      await rig.drain();
      const { firstLateMs } = await rig.verdict();
      const late = { what: 'first attempt late', unit: 'ms' as const, value: firstLateMs, atMost: 5_000 };
      return { duplicatesAtMost: 0, recoveryMs, marks: [late, noServerErrors(rig)] };
    },
  },
  {
    name: 'redis-full',
    fault: `Redis out of memory for 60 s at ${PER_SECOND} events/s`,
    pass: 'no 5xx, ≤ 1 line of warning or error a second and process, drained ≤ 10 s after',
    ownStores: true,
    run: full,
  },
  {
    name: 'redis-frozen',
    fault: `Redis hangs for 30 s at ${PER_SECOND} events/s`,
    pass: 'no 5xx, claims go on ≤ 30 s after',
    run: (rig, tools) =>
      outage(rig, tools, { seconds: 30, away: async () => rig.redis.freeze(), back: async () => rig.redis.thaw() }),
  },
  {
    name: 'redis-half-open',
    fault: 'every connection to Redis falls silent for good, new ones work',
    pass: 'no 5xx, claims go on ≤ 30 s after',
    run: halfOpen,
  },
  ...[3, 8, 30, 120].map((seconds) => ({
    name: `redis-away-${seconds}`,
    fault: `Redis refuses connections for ${seconds} s at ${PER_SECOND} events/s`,
    pass: 'no 5xx, claims go on ≤ 30 s after',
    run: (rig: Rig, tools: Tools) =>
      outage(rig, tools, { seconds, away: () => rig.redis.refuse(), back: () => rig.redis.restore() }),
  })),
];

async function flush(rig: Rig, { random, scaled, say }: Tools) {
  const failing: Behaviour = (receipt) => ({ status: receipt.attempt === 1 ? 503 : 200 });
  const to = await Promise.all(
    ['waits-0', 'waits-1', 'waits-2', 'waits-3'].map(async (name) => {
      const config = { retrySchedule: [Math.max(4, scaled(20)), 5, 5, 5, 5, 5] };
      const { eventType } = await rig.addEndpoint({ name, config, behaviour: failing, loaded: false });
      return { eventType, endpoints: [name] };
    }),
  );
  await rig.load.burst(scaled(2_000), { to });
  say(`${rig.load.accepted()} events whose retries wait`);
  const inFlight: number[] = [];
  const flushes = async () => {
    for (let n = 0; n < Math.max(2, scaled(10)); n += 1) {
      await rig.elapsed(random.whole(500, 5_000));
      inFlight.push(await rig.inFlight());
      await rig.redis.flush();
    }
    say(`flushed ${inFlight.length} times, in flight: ${inFlight.join(' ')}`);
  };
  const flushed = flushes();
  await rig.load.burst(scaled(10_000));
  await flushed;
  const recoveryMs = await rig.drain();
  return { duplicatesAtMost: sum(inFlight), recoveryMs, marks: [{ what: 'in flight', value: sum(inFlight) }] };
}

async function full(rig: Rig, { scaled, say }: Tools) {
  const seconds = scaled(60);
  const linesBefore = rig.dispatchers.concat(rig.apis).map((member) => member.lines.length);
  const limit = { fill: () => rig.redis.ask('CONFIG', 'SET', 'maxmemory', '1mb') };
  const recoveryMs = await takeAway(rig, seconds, {
    away: async () => void (await limit.fill()),
    back: async () => void (await rig.redis.ask('CONFIG', 'SET', 'maxmemory', '0')),
  });
  const drainMs = await rig.drain();
  const lines = rig.dispatchers.concat(rig.apis).map((member, n) => member.lines.length - (linesBefore[n] ?? 0));
  say(`lines of each process: ${lines.join(' ')}`);
  const marks: Mark[] = [
    { what: 'lines a second', value: Math.max(...lines) / seconds, atMost: 1 },
    { what: 'drained after', unit: 'ms', value: drainMs, atMost: 10_000 },
    noServerErrors(rig),
  ];
  return { duplicatesAtMost: 0, retriesLateAtMostMs: seconds * 1_000 + 10_000, recoveryMs, marks };
}

async function halfOpen(rig: Rig, { scaled }: Tools) {
  const load = rig.load.steady(PER_SECOND, scaled(40));
  await rig.elapsed(3_000);
  const silentMs = Date.now();
  rig.redis.freeze('existing');
  await load;
  const recoveryMs = resumedAfter(rig, silentMs, (receipt) => isNew(rig, receipt, silentMs));
  await rig.drain();
  return { duplicatesAtMost: 0, recoveryMs, marks: [resumes(recoveryMs), noServerErrors(rig)] };
}

type Trouble = { away: () => Promise<void>; back: () => Promise<void> };

async function outage(rig: Rig, { scaled }: Tools, { seconds, ...trouble }: Trouble & { seconds: number }) {
  const recoveryMs = await takeAway(rig, scaled(seconds), trouble);
  await rig.drain();
  return { duplicatesAtMost: 0, recoveryMs, marks: [resumes(recoveryMs), noServerErrors(rig)] };
}

/** Load from 3 s before to 10 s after; answers the ms from the end until the first request to an endpoint. */
async function takeAway(rig: Rig, seconds: number, { away, back }: Trouble): Promise<number> {
  const load = rig.load.steady(PER_SECOND, 3 + seconds + 10);
  await rig.elapsed(3_000);
  await away();
  await rig.elapsed(seconds * 1_000);
  await back();
  const backMs = Date.now();
  await load;
  return resumedAfter(rig, backMs, () => true);
}

function resumedAfter(rig: Rig, fromMs: number, counts: (receipt: Receipt) => boolean): number {
  const first = rig.receivers.receipts.find((receipt) => receipt.atMs >= fromMs && counts(receipt));
  return first === undefined ? Number.POSITIVE_INFINITY : first.atMs - fromMs;
}

/** Whether its event was accepted after this moment: what was under way already needs no claim. */
function isNew(rig: Rig, receipt: Receipt, afterMs: number): boolean {
  const event = rig.load.sent.find(({ eventId }) => eventId === receipt.eventId);
  return (event?.acceptedAtMs ?? 0) > afterMs;
}

function resumes(value: number): Mark {
  return { what: 'claims go on', unit: 'ms', value, atMost: RESUMES_WITHIN_MS };
}
