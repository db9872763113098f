import { setTimeout as pause } from 'node:timers/promises';
import { cpuSeconds, residentMib } from './cpu.ts';
import type { Figure } from './figures.ts';
import { type Ingest, now, postFlatOut } from './load.ts';
import type { Receivers } from './receivers.ts';

const CONNECTIONS = 64;
const QUIET_FOR_MS = 1_500;

export type ThroughputInput = {
  scenario: string;
  ingest: Ingest;
  receivers: Receivers;
  seconds: number;
  processes: Processes;
};

/** The processes that do the work, for their CPU and memory. */
export type Processes = readonly { name: string; pid: number }[];

/**
 * How fast events are accepted at full load, and how fast they are delivered from the first post to the last receipt,
 * everything on this machine at once.
 */
export async function measureThroughput(input: ThroughputInput): Promise<Figure[]> {
  const { scenario, ingest, receivers, seconds, processes } = input;
  await postFlatOut(ingest, CONNECTIONS, 3);
  await drained(receivers);
  const before = receivers.count();
  const connectionsBefore = receivers.connections();
  const cpuBefore = cpuSeconds(processes);
  const startedAt = now();
  const rate = await postFlatOut(ingest, CONNECTIONS, seconds);
  const lastAt = await drained(receivers);
  const delivered = receivers.count() - before;
  const cpuAfter = cpuSeconds(processes);
  return [
    { scenario, figure: 'ingest, 64 connections', value: rate.perSecond, unit: '/s' },
    { scenario, figure: 'refused', value: rate.refused, unit: '' },
    { scenario, figure: 'accepted', value: rate.accepted, unit: '' },
    { scenario, figure: 'delivered', value: delivered, unit: '' },
    { scenario, figure: 'end to end', value: delivered / ((lastAt - startedAt) / 1_000), unit: '/s' },
    { scenario, figure: 'connections opened', value: receivers.connections() - connectionsBefore, unit: '' },
    ...processes.flatMap(({ name, pid }) => {
      const used = (cpuAfter.get(name) ?? 0) - (cpuBefore.get(name) ?? 0);
      const resident = residentMib(pid);
      if (resident === undefined) return [];
      return [
        { scenario, figure: `CPU ${name}, an event`, value: (used / delivered) * 1e6, unit: 'µs' },
        { scenario, figure: `memory ${name}`, value: resident, unit: 'MiB' },
      ];
    }),
  ];
}

/** Waits until nothing has arrived for a while; answers when the last did. */
async function drained(receivers: Receivers): Promise<number> {
  let count = receivers.count();
  let lastAt = now();
  while (now() - lastAt < QUIET_FOR_MS) {
    await pause(20);
    if (receivers.count() !== count) {
      count = receivers.count();
      lastAt = now();
    }
  }
  return lastAt;
}
