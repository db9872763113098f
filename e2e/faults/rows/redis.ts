import { flaky } from '../receivers.ts';
import type { Rig } from '../rig.ts';
import type { Mark, Outcome, Row, Tools } from '../row.ts';
import { createInFlight, isNew, noServerErrors, resumedAfter } from './marks.ts';
import { redisFailover } from './silent-stores.ts';

const PER_SECOND = 50;
const FLUSHED_PER_SECOND = 150;
const WARM_UP_EVENTS = 5_000;
const RESUMES_WITHIN_MS = 30_000;

const rows: readonly Row[] = [
  {
    name: 'redis-flush',
    fault: 'Redis is flushed 10 times during 10,000 events, while 2,000 retries wait',
    pass: 'each retry ≤ 5 s late, duplicates ≤ in flight at each flush',
    run: flush,
  },
  {
    name: 'redis-stopped',
    fault: `Redis is stopped for 60 s at ${PER_SECOND} events/s, after ${WARM_UP_EVENTS.toLocaleString('en')} events`,
    pass: 'no 5xx, first attempts ≤ 5 s after its return',
    ownStores: true,
    rig: { gates: false },
    async run(rig, { scaled }) {
      // Warm up: half of a cold process's work after an outage is V8's compilation.
      await rig.load.burst(scaled(WARM_UP_EVENTS));
      await rig.drain();
      const recoveryMs = await takeAway(rig, scaled(60), {
        away: () => rig.redis.stop(),
        back: () => rig.redis.start(),
      });
      await rig.drain();
      const { firstLateMs } = await rig.verdict();
      const late = { what: 'latest first attempt', unit: 'ms' as const, value: firstLateMs, atMost: 5_000 };
      return { duplicatesAtMost: 0, recoveryMs, marks: [late, noServerErrors(rig)] };
    },
  },
  {
    name: 'redis-full',
    fault: `Redis is out of memory for 60 s at ${PER_SECOND} events/s`,
    pass: 'no 5xx, ≤ 1 warning or error line per second and process, waiting deliveries are sent ≤ 10 s after',
    ownStores: true,
    run: full,
  },
  {
    name: 'redis-frozen',
    fault: `Redis hangs for 30 s at ${PER_SECOND} events/s`,
    pass: 'no 5xx, claims resume ≤ 30 s after',
    run: (rig, tools) =>
      outage(rig, tools, { seconds: 30, away: async () => rig.redis.freeze(), back: async () => rig.redis.thaw() }),
  },
  {
    name: 'redis-half-open',
    fault: 'every open connection to Redis goes silent for good; new ones work',
    pass: 'no 5xx, claims resume ≤ 30 s after',
    run: halfOpen,
  },
  ...[3, 8, 30, 120].map((seconds) => ({
    name: `redis-away-${seconds}`,
    fault: `Redis refuses connections for ${seconds} s at ${PER_SECOND} events/s`,
    pass: 'no 5xx, claims resume ≤ 30 s after',
    run: (rig: Rig, tools: Tools) =>
      outage(rig, tools, { seconds, away: () => rig.redis.refuse(), back: () => rig.redis.restore() }),
  })),
  redisFailover,
];

/** Only the shape `scaled` has a Redis that can fail. */
export const redisRows: readonly Row[] = rows.map((row) => ({ ...row, shapes: ['scaled'] }));

async function flush(rig: Rig, { random, scaled, say }: Tools) {
  const to = await Promise.all(
    ['waits-0', 'waits-1', 'waits-2', 'waits-3'].map(async (name) => {
      const config = { retrySchedule: [Math.max(4, scaled(30)), 5, 5, 5, 5, 5] };
      const { eventType } = await rig.addEndpoint({ name, config, behaviour: flaky, loaded: false });
      return { eventType, endpoints: [name] };
    }),
  );
  // Every other delivery is refused at its first attempt.
  await rig.load.burst(scaled(4_000), { to });
  const waiting = await rig.db.delivery.count({ where: { status: 'scheduled_retry' } });
  say(`${waiting} retries wait`);
  const inFlight = createInFlight(rig);
  let flushed = 0;
  const flushes = async () => {
    for (let n = 0; n < Math.max(2, scaled(10)); n += 1) {
      await rig.elapsed(random.whole(1_000, 8_000));
      await inFlight.note();
      await rig.redis.flush();
      flushed += 1;
    }
    say(`flushed ${flushed} times`);
  };
  // The machine can deliver this rate in that time. Behind a backlog, retries would be late.
  await Promise.all([rig.load.steady(FLUSHED_PER_SECOND, scaled(10_000) / FLUSHED_PER_SECOND), flushes()]);
  const recoveryMs = await rig.drain();
  const marks = [
    { what: 'retries waiting', value: waiting },
    { what: 'in flight', value: inFlight.count() },
  ];
  return { duplicatesAtMost: inFlight.count(), recoveryMs, marks };
}

async function full(rig: Rig, { scaled, say }: Tools) {
  const members = [...rig.apis, ...rig.dispatchers];
  const seconds = scaled(60);
  const before = members.map((member) => member.lines.length);
  const recoveryMs = await takeAway(rig, seconds, { away: () => rig.redis.fill(), back: () => rig.redis.free() });
  await rig.drain();
  const { firstLateMs } = await rig.verdict();
  const lines = members.map((member, n) => member.lines.length - (before[n] ?? 0));
  say(`lines of each process: ${lines.join(' ')}`);
  const marks: Mark[] = [
    // Each process may write one extra line at each end.
    { what: 'most log lines of a process', value: Math.max(...lines), atMost: seconds + 2 },
    { what: 'latest first attempt', unit: 'ms', value: firstLateMs, atMost: 10_000 },
    noServerErrors(rig),
  ];
  return { duplicatesAtMost: 0, retriesLateAtMostMs: 10_000, recoveryMs, marks };
}

async function halfOpen(rig: Rig, { scaled }: Tools) {
  const load = rig.load.steady(PER_SECOND, scaled(40));
  await rig.elapsed(3_000);
  const silentMs = Date.now();
  rig.redis.freeze('existing');
  await load;
  // The load must last until deliveries resume.
  await rig.drain();
  const recoveryMs = resumedAfter(rig, silentMs, (receipt) => isNew(rig, receipt, silentMs));
  return resumed(rig, recoveryMs);
}

type Trouble = { away: () => Promise<void>; back: () => Promise<void> };

async function outage(rig: Rig, { scaled }: Tools, { seconds, ...trouble }: Trouble & { seconds: number }) {
  const recoveryMs = await takeAway(rig, scaled(seconds), trouble);
  await rig.drain();
  return resumed(rig, recoveryMs);
}

/**
 * Runs load from 3 s before the outage to 10 s after it. Returns the ms from the outage's end to the first request
 * at a receiver.
 */
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

function resumed(rig: Rig, recoveryMs: number): Outcome {
  const resumes: Mark = { what: 'claims resume', unit: 'ms', value: recoveryMs, atMost: RESUMES_WITHIN_MS };
  const marks = [resumes, noServerErrors(rig)];
  return { duplicatesAtMost: 0, retriesLateAtMostMs: RESUMES_WITHIN_MS, recoveryMs, marks };
}
