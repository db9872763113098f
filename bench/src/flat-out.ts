import { setTimeout as pause } from 'node:timers/promises';
import { type Ingest, now, postFlatOut } from './load.ts';
import type { Point } from './plot.ts';
import { cpuSeconds, type Measured } from './processes.ts';
import type { Receivers } from './receivers.ts';
import { sampleEvery } from './sample.ts';

export const CONNECTIONS = 64;
export const WARM_UP_SECONDS = 3;
/** Seconds of load before each burst, because connections were closed while the other side was measured. */
export const LEAD_IN_SECONDS = 1;
/** The wait for further deliveries ends this long after the last one. */
const GIVE_UP_AFTER_MS = 10_000;
/**
 * How long to wait for more deliveries: posts under way at the end were accepted but not counted, and
 * are delivered too.
 */
const QUIET_FOR_MS = 1_000;
const SAMPLE_MS = 250;

/** The result of posting at full rate for a while and waiting until everything was delivered. */
export type Burst = {
  accepted: number;
  refused: number;
  postedSeconds: number;
  delivered: number;
  /** From the first post to the last receipt. */
  seconds: number;
  connections: number;
  /** CPU seconds by process. */
  cpu: Map<string, number>;
  /** Deliveries per second, by the second since the first post. */
  rates: Point[];
};

export type BurstOptions = {
  ingest: Ingest;
  receivers: Pick<Receivers, 'count' | 'connections'>;
  seconds: number;
  processes: readonly Measured[];
  /** The share of the events that the receivers answer. Default: all. */
  share?: number;
};

/** Posts for `seconds` over 64 connections, then waits until all accepted events are delivered. */
export async function burst({ ingest, receivers, seconds, processes, share = 1 }: BurstOptions): Promise<Burst> {
  const [before, connectionsBefore, cpuBefore] = [receivers.count(), receivers.connections(), cpuSeconds(processes)];
  const counts = sampleEvery(SAMPLE_MS, receivers.count);
  const rate = await postFlatOut(ingest, CONNECTIONS, seconds);
  const lastAt = await delivered(receivers, before + Math.floor(rate.accepted * share));
  const cpuAfter = cpuSeconds(processes);
  return {
    accepted: rate.accepted,
    refused: rate.refused,
    postedSeconds: rate.seconds,
    delivered: receivers.count() - before,
    seconds: (lastAt - rate.startedAt) / 1_000,
    connections: receivers.connections() - connectionsBefore,
    cpu: new Map([...cpuAfter].map(([name, used]) => [name, used - (cpuBefore.get(name) ?? 0)])),
    rates: counts.stop().rates(),
  };
}

/** Combines several bursts of one side. */
export function together(bursts: readonly Burst[]) {
  const sum = (of: (burst: Burst) => number) => bursts.reduce((total, burst) => total + of(burst), 0);
  const delivered = sum((burst) => burst.delivered);
  const names = [...new Set(bursts.flatMap((burst) => [...burst.cpu.keys()]))];
  return {
    refused: sum((burst) => burst.refused),
    lost: sum((burst) => Math.max(0, burst.accepted - burst.delivered)),
    connections: sum((burst) => burst.connections),
    acceptedPerSecond: sum((burst) => burst.accepted) / sum((burst) => burst.postedSeconds),
    deliveredPerSecond: delivered / sum((burst) => burst.seconds),
    /** Microseconds of CPU for each event, by process. */
    cpuPerEvent: new Map(names.map((name) => [name, (sum((burst) => burst.cpu.get(name) ?? 0) / delivered) * 1e6])),
  };
}

/**
 * Waits until the receivers count `expected` and no more arrive, or until none has arrived for GIVE_UP_AFTER_MS.
 * Returns the time of the last arrival.
 */
export async function delivered(receivers: Pick<Receivers, 'count'>, expected: number): Promise<number> {
  let count = receivers.count();
  let lastAt = now();
  while (now() - lastAt < (count >= expected ? QUIET_FOR_MS : GIVE_UP_AFTER_MS)) {
    await pause(10);
    if (receivers.count() !== count) {
      count = receivers.count();
      lastAt = now();
    }
  }
  return lastAt;
}
