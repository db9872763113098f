import type { Member } from '../member.ts';
import type { Rig, Shape } from '../rig.ts';
import { type Mark, type Row, TWO_SERVICES } from '../row.ts';
import { createInFlight } from './marks.ts';

/** How late a retry may be. In `one`, a process that dies may also hold the lease of a retry. */
const LATE_AT_MOST_MS: Record<Shape, number> = { scaled: 5_000, postgres: 5_000, one: 30_000 };

/** Rows in which the API dies during ingestion. */
export const ingestionRows: readonly Row[] = [
  {
    name: 'api-dies-before-enqueue',
    // A process that runs both services hands events over by a call.
    shapes: TWO_SERVICES,
    fault: 'both APIs die after the answer to 1,000 events and before any of them is enqueued',
    pass: 'lost 0, first attempt p99 ≤ 5 s',
    async run(rig, { scaled, say }) {
      const rounds = 20;
      for (let n = 0; n < rounds; n += 1) {
        for (const gate of onTheWay(rig)) gate.freeze();
        await rig.load.burst(scaled(1_000 / rounds));
        await Promise.all(rig.apis.map((api) => api.kill()));
        for (const gate of onTheWay(rig)) {
          // Jobs or messages on their way are lost with the process.
          gate.cut();
          gate.thaw();
        }
        await Promise.all(rig.apis.map((api) => api.start()));
      }
      say(`${rig.load.accepted()} accepted in ${rounds} lives`);
      await rig.drain();
      return { duplicatesAtMost: 0, marks: [await firstAttempts(rig)] };
    },
  },
  {
    name: 'api-dies-after-commit',
    fault:
      'an API dies 20 times after the commit in Postgres and before its reply; the client sends again with its key',
    pass: 'lost 0, duplicates 0, first attempt p99 ≤ 5 s',
    run: (rig, tools) => dieAtIngest(rig, 'after', tools.scaled),
  },
  {
    name: 'api-dies-before-commit',
    fault: 'an API dies 20 times before the commit; the client sends again with its key',
    pass: 'lost 0, duplicates 0',
    run: (rig, tools) => dieAtIngest(rig, 'before', tools.scaled),
  },
];

/** The gates through which jobs go to Redis, or messages to Postgres. */
const onTheWay = ({ apis }: Rig) => apis.flatMap(({ redis, bus }) => [redis, bus]);

async function dieAtIngest(rig: Rig, moment: 'before' | 'after', scaled: (events: number) => number) {
  const deaths = scaled(20);
  const inFlight = createInFlight(rig);
  for (let n = 0; n < deaths; n += 1) {
    const victim = rig.apis[n % rig.apis.length];
    if (victim === undefined) throw new Error('no API runs');
    const died = dieAt(victim, moment);
    // Only a process that is also a dispatcher has attempts under way.
    const noted = rig.dispatchers.includes(victim) ? died.then(inFlight.note) : died;
    await Promise.all([noted, rig.load.burst(50)]);
    await victim.start();
  }
  await rig.drain();
  const died = rig.apis.reduce((sum, api) => sum + api.exits.length, 0);
  const marks = [{ what: 'deaths', value: died, atLeast: deaths }, await firstAttempts(rig)];
  return { duplicatesAtMost: inFlight.count(), retriesLateAtMostMs: LATE_AT_MOST_MS[rig.shape], marks };
}

function dieAt(api: Member, moment: 'before' | 'after'): Promise<void> {
  return api.statements.at('ingest', moment, () => {
    void api.kill();
    return false;
  });
}

async function firstAttempts(rig: Rig): Promise<Mark> {
  const { firstLateP99Ms } = await rig.verdict();
  return { what: 'first attempt p99', unit: 'ms', value: firstLateP99Ms, atMost: 5_000 };
}
