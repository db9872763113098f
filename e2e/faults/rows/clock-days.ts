import type { Member } from '../member.ts';
import type { Rig } from '../rig.ts';
import type { Mark, Outcome, Row, Tools } from '../row.ts';
import { runFirst, shiftClock } from './preludes.ts';
import { startProbes } from './probes.ts';

const DAY_MS = 86_400_000;
const PER_SECOND = 40;
const PROBE_EVERY_MS = 500;
/** The duration of a jump, like that of a clock that is corrected at once. */
const JUMP_MS = 500;
/** Receivers refuse a timestamp that is further off, by Standard Webhooks. */
const TIMESTAMP_TOLERANCE_MS = 5 * 60_000;

/**
 * An API 20 days ahead is past the last partition, and one 2 days behind is before the first partition of a new
 * installation. A dispatcher 8 days ahead is past the retention of new events.
 */
const SHIFTS = [
  { apiDays: 20, dispatcherDays: 8 },
  { apiDays: -2, dispatcherDays: -8 },
] as const;

export const clockDays: Row = {
  name: 'clock-days',
  fault:
    'the clock of an API is 20 days ahead, then 2 behind, and that of a dispatcher 8 ahead, then 8 behind; then both jump as far for 0.5 s',
  pass: '5xx 0, no end without an attempt, nothing lost',
  run: wrongByDays,
};

async function wrongByDays(rig: Rig, { scaled, say }: Tools): Promise<Outcome> {
  const [[api], [dispatcher]] = [rig.apis, rig.dispatchers];
  if (api === undefined || dispatcher === undefined) throw new Error('there is no API, or no dispatcher');
  const timestamps = watchTimestamps(rig);
  const seconds = Math.max(8, scaled(40));
  const marks: Mark[] = [];
  for (const { apiDays, dispatcherDays } of SHIFTS) {
    const what = `${apiDays > 0 ? 'ahead' : 'behind'}`;
    await startWith(api, { byMs: apiDays * DAY_MS });
    await startWith(dispatcher, { byMs: dispatcherDays * DAY_MS });
    marks.push(await serverErrorsWhile(rig, { api, what }, () => rig.load.steady(PER_SECOND, seconds)));
    await rig.drain();
    say(
      `${what}: ${marks.at(-1)?.value} answers of 5xx or none, ${await endedUnattempted(rig)} ended without an attempt`,
    );
  }
  const wrongMs = timestamps.refused();
  await startWith(api, { byMs: 0, jumps: { byMs: SHIFTS.map(({ apiDays }) => apiDays * DAY_MS), forMs: JUMP_MS } });
  const jumps = { byMs: SHIFTS.map(({ dispatcherDays }) => dispatcherDays * DAY_MS), forMs: JUMP_MS };
  await startWith(dispatcher, { byMs: 0, jumps });
  const jump = async () => {
    const load = rig.load.steady(PER_SECOND, seconds);
    for (let n = 0; n < 4; n += 1) {
      await rig.elapsed((seconds * 1_000) / 5);
      for (const member of [api, dispatcher]) process.kill(member.pid() ?? 0, 'SIGUSR2');
    }
    await load;
  };
  marks.push(await serverErrorsWhile(rig, { api, what: 'jumps' }, jump));
  await rig.drain();
  return {
    duplicatesAtMost: 0,
    marks: [
      ...marks,
      { what: 'ended without an attempt', value: await endedUnattempted(rig), atMost: 0 },
      { what: 'timestamps that receivers refuse', value: wrongMs, atMost: 0 },
      { what: 'refused timestamps during jumps', value: timestamps.refused() - wrongMs },
    ],
  };
}

async function startWith(member: Member, clock: Parameters<typeof shiftClock>[0]): Promise<void> {
  await member.stop();
  await member.start({ nodeArgs: runFirst(shiftClock, clock) });
}

/** Counts 5xx responses and requests without a response: ingestion at all APIs, and lists at this one. */
async function serverErrorsWhile(
  rig: Rig,
  { api, what }: { api: Member; what: string },
  work: () => Promise<void>,
): Promise<Mark> {
  const before = rig.load.answers.length;
  const probes = startProbes(rig, { api, to: rig.endpoints, everyMs: PROBE_EVERY_MS });
  await work();
  await probes.end();
  const isFault = ({ status }: { status: number }) => status >= 500 || status === 0;
  const failed = rig.load.answers.slice(before).filter(isFault).length + probes.answered.filter(isFault).length;
  return { what: `5xx or no answer, ${what}`, value: failed, atMost: 0 };
}

/** Counts ended deliveries without a request. */
function endedUnattempted(rig: Rig): Promise<number> {
  return rig.db.delivery.count({ where: { dueAt: null, totalAttempts: 0 } });
}

/** Counts the requests whose `webhook-timestamp` is too far from the time of their arrival. */
function watchTimestamps(rig: Rig): { refused: () => number } {
  let refused = 0;
  rig.receivers.onReceipt(({ atMs }, { headers }) => {
    const offMs = Math.abs(Number(headers['webhook-timestamp']) * 1_000 - atMs);
    if (!(offMs <= TIMESTAMP_TOLERANCE_MS)) refused += 1;
  });
  return { refused: () => refused };
}
