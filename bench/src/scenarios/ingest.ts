import { type Figure, percentile } from '../figures.ts';
import { CONNECTIONS, WARM_UP_SECONDS } from '../flat-out.ts';
import { postFlatOut, postSteadily, type Rate } from '../load.ts';
import { cpuSeconds } from '../processes.ts';
import type { Context, Outcome, Scenario } from '../scenario.ts';
import { alternating, type Side, type Sides, withSides } from '../sides.ts';

export const ingest: Scenario = {
  name: 'ingest',
  what: 'events accepted per second over 64 connections, 500-byte bodies, without consumers',
  run: (context) => withSides(context, { consumers: false }, (sides) => measure(context, sides)),
};

type Measured = Rate & { cpu: Map<string, number> };

async function measure({ seconds, say }: Context, sides: Sides): Promise<Outcome> {
  for (const side of [sides.posthorn, sides.bare]) await postFlatOut(side.ingest, CONNECTIONS, WARM_UP_SECONDS);
  const taken: Record<Side['name'], Measured[]> = { Posthorn: [], bare: [] };
  for (const side of alternating(sides)) {
    say(side.name);
    taken[side.name].push(await measureSide(side, seconds / 2));
  }
  const [own, bare] = [together(taken.Posthorn), together(taken.bare)];
  const answers = (await postSteadily(sides.posthorn.ingest, 50, seconds / 2)).map(
    (post) => post.answeredAt - post.scheduledAt,
  );
  const figures: Figure[] = [
    { figure: 'accepted, 64 connections', value: own.perSecond, unit: '/s', bare: bare.perSecond },
    { figure: 'refused', value: own.refused, unit: '', bare: bare.refused },
    ...[...own.cpuPerEvent].map(([name, value]) => ({
      figure: `CPU ${name}, an event`,
      value,
      unit: 'µs',
      bare: bare.cpuPerEvent.get(name) ?? Number.NaN,
    })),
    { figure: 'answer at 50/s, p50', value: percentile(answers, 50), unit: 'ms' },
  ];
  const bars = [
    { name: 'Posthorn', value: own.perSecond },
    { name: 'bare pipeline', value: bare.perSecond, faint: true },
  ];
  return { figures, plot: { kind: 'bars', title: 'Events accepted per second, ingestion only', unit: '/s', bars } };
}

async function measureSide({ ingest: to, processes }: Side, seconds: number): Promise<Measured> {
  const before = cpuSeconds(processes);
  const rate = await postFlatOut(to, CONNECTIONS, seconds);
  const after = cpuSeconds(processes);
  return { ...rate, cpu: new Map([...after].map(([name, used]) => [name, used - (before.get(name) ?? 0)])) };
}

function together(parts: readonly Measured[]) {
  const sum = (of: (part: Measured) => number) => parts.reduce((total, part) => total + of(part), 0);
  const accepted = sum((part) => part.accepted);
  const names = [...(parts[0]?.cpu.keys() ?? [])];
  return {
    perSecond: accepted / sum((part) => part.seconds),
    refused: sum((part) => part.refused),
    cpuPerEvent: new Map(names.map((name) => [name, (sum((part) => part.cpu.get(name) ?? 0) / accepted) * 1e6])),
  };
}
