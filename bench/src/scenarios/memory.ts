import { setTimeout as pause } from 'node:timers/promises';
import type { Figure } from '../figures.ts';
import { burst, WARM_UP_SECONDS } from '../flat-out.ts';
import type { Point } from '../plot.ts';
import { readMemory, residentMib } from '../processes.ts';
import { sampleEvery } from '../sample.ts';
import type { Context, Outcome, Scenario } from '../scenario.ts';
import type { ServiceProcess } from '../service-process.ts';
import { type Side, withSides } from '../sides.ts';

const SAMPLE_MS = 200;
const IDLE_MS = 5_000;

export const memory: Scenario = {
  name: 'memory',
  what: 'resident and proportional memory of API and dispatcher: idle, at full rate, and afterwards',
  run: measure,
};

function measure(context: Context): Promise<Outcome> {
  return withSides(context, { consumers: true }, async ({ posthorn, bare, receivers }) => {
    const taken = new Map<Side['name'], Awaited<ReturnType<typeof watch>>>();
    for (const side of [bare, posthorn]) {
      context.say(side.name);
      const load = async (seconds: number) => void (await burst({ ...side, receivers, seconds }));
      taken.set(side.name, await watch(rolesOf(side), { load, seconds: context.seconds }));
    }
    const [own, other] = [taken.get('Posthorn'), taken.get('bare')];
    const figures = [...(own?.figures ?? [])].map((figure): Figure => {
      const beside = other?.figures.find((one) => one.figure === figure.figure);
      return { ...figure, ...(beside === undefined ? {} : { bare: beside.value }) };
    });
    const lines = [...(own?.lines ?? [])].map(([name, points]) => ({ name, points }));
    const title = 'Resident memory under full load, and at rest after it';
    return { figures, plot: { kind: 'lines', title, x: 'seconds', y: 'MiB', lines } };
  });
}

type Load = { load: (seconds: number) => Promise<void>; seconds: number };

async function watch(services: readonly ServiceProcess[], { load, seconds }: Load) {
  const figures: Figure[] = [];
  const add = (figure: string, value: number | undefined) => {
    if (value !== undefined) figures.push({ figure, value, unit: 'MiB' });
  };
  for (const { name, pid } of services) add(`${name} resident, at rest`, residentMib(pid));
  await load(WARM_UP_SECONDS);
  const samples = services.map(({ name, pid }) => ({ name, pid, all: sampleEvery(SAMPLE_MS, () => residentMib(pid)) }));
  await load(seconds);
  const loaded = samples.map(({ name, pid }) => ({ name, memory: readMemory(pid) }));
  await pause(IDLE_MS);
  const lines = new Map<string, Point[]>();
  for (const { name, pid, all } of samples) {
    const done = all.stop();
    lines.set(name, done.points);
    if (done.points.length > 0) add(`${name} resident, full rate`, done.peak());
    add(`${name} proportional, full rate`, loaded.find((one) => one.name === name)?.memory?.proportionalMib);
    add(`${name} resident, ${IDLE_MS / 1_000} s after`, residentMib(pid));
  }
  return { figures, lines };
}

function rolesOf({ api, dispatcher }: Side): ServiceProcess[] {
  return dispatcher === undefined ? [api] : [api, dispatcher];
}
