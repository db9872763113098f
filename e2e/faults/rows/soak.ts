import { waitFor } from '@posthorn/testkit/wait-for';
import type { Rig, Shape } from '../rig.ts';
import type { Mark, Outcome, Row, Tools } from '../row.ts';
import { cutBus } from './bus.ts';
import { createInFlight, otherErrors } from './marks.ts';
import { loadWhile, readyAgain, restart } from './restarts.ts';

/** About 270 deliveries a second: ten endpoints have one event type each, and one type has three endpoints. */
const PER_SECOND = 230;
const STRIKE_EVERY_MS = 20_000;
/** A fault lasts at most this long. */
const LONGEST_FAULT_MS = 8_000;
/** The time for the drain and the verdict, in addition to the load. */
const END_WITHIN_MINUTES = 15;
/** The time until a lease expires, or until a silent connection is noticed. Outages of stores do not count. */
const LATE_AT_MOST_MS = 60_000;
/** How long a producer sends an event again. The backlog after a fault may refuse it for a while. */
const AGAIN_FOR_MS = 180_000;

/**
 * A steady load for the given minutes, with a random fault from the other rows every 20 seconds. It is not in the
 * table: `npm run soak` runs it.
 */
export function soakRow(minutes: number, shape: Shape = 'scaled'): Row {
  return {
    name: 'soak',
    fault: `a random fault every ${STRIKE_EVERY_MS / 1_000} s for ${minutes} minutes at ${PER_SECOND} events/s`,
    pass: 'duplicates ≤ in flight at each fault, no 5xx but 503 with Retry-After',
    ownStores: true,
    withinMinutes: minutes + END_WITHIN_MINUTES,
    run: (rig, tools) =>
      soak(rig, tools, { minutes, faults: [...FAULTS, ...(shape === 'scaled' ? REDIS_FAULTS : BUS_FAULTS)] }),
  };
}

type Fault = { name: string; strike: (rig: Rig, tools: Tools) => Promise<void> };

const FAULTS: readonly Fault[] = [
  { name: 'dispatcher killed', strike: (rig, { random }) => kill(random.pick(rig.dispatchers)) },
  { name: 'API killed', strike: (rig, { random }) => kill(random.pick(rig.apis)) },
  {
    name: 'process restarted',
    strike: async (rig, { random }) => void (await restart(random.pick([...rig.apis, ...rig.dispatchers]))),
  },
  { name: 'Redis flushed, or unlogged tables emptied', strike: (rig) => rig.redis.flush() },
  { name: 'Postgres restarted', strike: (rig, tools) => during(rig, tools, rig.postgres.stop, rig.postgres.start) },
  {
    name: 'Postgres killed',
    strike: (rig, tools) => during(rig, tools, () => rig.postgres.stop('kill'), rig.postgres.start),
  },
  {
    name: 'Postgres unreachable',
    strike: (rig, tools) => during(rig, tools, rig.postgres.refuse, rig.postgres.restore),
  },
  {
    name: 'connections to Postgres half open',
    strike: (rig, tools) => during(rig, tools, () => rig.postgres.freeze('existing'), rig.postgres.thaw),
  },
];

const BUS_FAULTS: readonly Fault[] = [
  { name: 'messages cut', strike: cutBus },
  { name: 'messages silent', strike: (rig, tools) => duringAll(rig, tools, 'freeze', 'thaw') },
  { name: 'messages refused', strike: (rig, tools) => duringAll(rig, tools, 'shut', 'open') },
];

const REDIS_FAULTS: readonly Fault[] = [
  { name: 'Redis killed', strike: (rig, tools) => during(rig, tools, () => rig.redis.stop('kill'), rig.redis.start) },
  { name: 'Redis unreachable', strike: (rig, tools) => during(rig, tools, rig.redis.refuse, rig.redis.restore) },
  { name: 'Redis out of memory', strike: (rig, tools) => during(rig, tools, rig.redis.fill, rig.redis.free) },
  { name: 'Redis hangs', strike: (rig, tools) => during(rig, tools, () => rig.redis.freeze(), rig.redis.thaw) },
  {
    name: 'connections to Redis half open',
    strike: (rig, tools) => during(rig, tools, () => rig.redis.freeze('existing'), rig.redis.thaw),
  },
];

async function kill(member: Rig['dispatchers'][number]): Promise<void> {
  await member.kill();
  await readyAgain(member);
}

async function during(
  rig: Rig,
  { random }: Tools,
  begin: () => void | Promise<void>,
  end: () => void | Promise<void>,
): Promise<void> {
  await begin();
  await rig.elapsed(random.whole(500, LONGEST_FAULT_MS));
  await end();
}

/** Like `during`, at the gate of every process before its connection for messages. */
function duringAll(rig: Rig, tools: Tools, begin: 'freeze' | 'shut', end: 'thaw' | 'open'): Promise<void> {
  const each = async (act: typeof begin | typeof end) => {
    for (const { bus } of [...rig.apis, ...rig.dispatchers]) await bus[act]();
  };
  return during(
    rig,
    tools,
    () => each(begin),
    () => each(end),
  );
}

async function soak(
  rig: Rig,
  tools: Tools,
  { minutes, faults }: { minutes: number; faults: readonly Fault[] },
): Promise<Outcome> {
  const { random, say } = tools;
  const inFlight = createInFlight(rig);
  const struck = new Map<string, number>();
  const endMs = performance.now() + minutes * 60_000;
  const strikes = async () => {
    for (let n = 1; performance.now() < endMs; n += 1) {
      const nextMs = performance.now() + STRIKE_EVERY_MS;
      const fault = random.pick(faults);
      await inFlight.note();
      await fault.strike(rig, tools);
      // The claims of a killed process stay in the table until their leases expire.
      await noteWhenReachable(inFlight.note);
      struck.set(fault.name, (struck.get(fault.name) ?? 0) + 1);
      say(`${n}: ${fault.name}; ${rig.load.accepted()} accepted, ${await rig.open()} open`);
      await rig.elapsed(Math.max(0, nextMs - performance.now()));
    }
  };
  await loadWhile(rig.load, { perSecond: PER_SECOND, againForMs: AGAIN_FOR_MS }, strikes());
  const recoveryMs = await rig.drain(10 * 60_000);
  const counts: Mark[] = [...struck].sort().map(([what, value]) => ({ what, value }));
  return {
    duplicatesAtMost: inFlight.count(),
    retriesLateAtMostMs: LATE_AT_MOST_MS,
    recoveryMs,
    marks: [notAccepted(rig), otherErrors(rig), ...counts],
  };
}

/** Tries again, because Postgres may refuse connections for a moment after it was killed. */
async function noteWhenReachable(note: () => Promise<void>): Promise<void> {
  const noted = async () =>
    note().then(
      () => true,
      () => false,
    );
  await waitFor(noted, { what: 'Postgres to answer', timeoutMs: 30_000 });
}

function notAccepted({ load }: Rig): Mark {
  return { what: 'not accepted', value: load.sent.length - load.accepted(), atMost: 0 };
}
