import { setTimeout as pause } from 'node:timers/promises';
import { cumulative, type Figure, timeFigures } from '../figures.ts';
import { LEAD_IN_SECONDS } from '../flat-out.ts';
import { postSteadily } from '../load.ts';
import type { Receivers } from '../receivers.ts';
import type { Context, Outcome, Scenario } from '../scenario.ts';
import { alternating, type Side, type Sides, withSides } from '../sides.ts';
import type { Stack } from '../stack.ts';
import { countStatements, statementsOf, statementsTable } from '../statements.ts';

const PER_SECOND = 50;
/** Events that have not arrived this long after the last post count as missing. */
const ARRIVES_WITHIN_MS = 2_000;

const OPTIONS = { consumers: true, prepare: ({ databaseUrl }: Stack) => countStatements(databaseUrl) };

export const latency: Scenario = {
  name: 'latency',
  what: 'from the scheduled send to the answer, and to the receiver, at 50 events per second; the statements of a lone event',
  run: (context) => withSides(context, OPTIONS, (sides) => measureLatency(context, sides)),
};

type Times = { answered: number[]; arrived: number[]; missing: number };

async function measureLatency({ seconds, say }: Context, sides: Sides): Promise<Outcome> {
  for (const side of [sides.posthorn, sides.bare]) await postSteadily(side.ingest, PER_SECOND, 3);
  const taken: Record<Side['name'], Times> = { Posthorn: nothing(), bare: nothing() };
  for (const side of alternating(sides)) {
    say(side.name);
    await postSteadily(side.ingest, PER_SECOND, LEAD_IN_SECONDS);
    const times = await latencies(side, { receivers: sides.receivers, perSecond: PER_SECOND, seconds });
    taken[side.name].answered.push(...times.answered);
    taken[side.name].arrived.push(...times.arrived);
    taken[side.name].missing += times.missing;
  }
  const { Posthorn: own, bare } = taken;
  say('statements of a lone event');
  const statements = await statementsOf(sides.stack.databaseUrl, () =>
    postSteadily(sides.posthorn.ingest, PER_SECOND, seconds),
  );
  const tables = [statementsTable('Statements of a lone event', statements, PER_SECOND * seconds)];
  const figures: Figure[] = [
    ...timeFigures('ingest answer', own.answered, bare.answered),
    ...timeFigures('accept → receiver', own.arrived, bare.arrived),
    { figure: 'not arrived', value: own.missing, unit: '', bare: bare.missing },
  ];
  const lines = [
    { name: 'Posthorn, receiver', points: cumulative(own.arrived) },
    { name: 'bare, receiver', points: cumulative(bare.arrived) },
    { name: 'Posthorn, answer', points: cumulative(own.answered) },
    { name: 'bare, answer', points: cumulative(bare.answered) },
  ];
  const title = `Latency at ${PER_SECOND} events per second, from the scheduled send`;
  return { figures, tables, plot: { kind: 'lines', title, x: 'milliseconds', y: '% no slower (to 99 %)', lines } };
}

type Steady = { receivers: Receivers; perSecond: number; seconds: number };

/** Posts in an open loop: times count from the scheduled send. */
export async function latencies(
  { ingest }: Pick<Side, 'ingest'>,
  { receivers, perSecond, seconds }: Steady,
): Promise<Times> {
  receivers.record();
  const posts = await postSteadily(ingest, perSecond, seconds);
  await pause(ARRIVES_WITHIN_MS);
  const arrivals = await receivers.takeArrivals();
  const arrived = posts.flatMap((post) => {
    const at = arrivals.get(post.id);
    return at === undefined ? [] : [at - post.scheduledAt];
  });
  const answered = posts.map((post) => post.answeredAt - post.scheduledAt);
  return { answered, arrived, missing: posts.length - arrived.length };
}

function nothing(): Times {
  return { answered: [], arrived: [], missing: 0 };
}
