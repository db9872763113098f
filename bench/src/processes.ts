import { readdirSync, readFileSync } from 'node:fs';

/** A process that is measured; for Postgres, its children are included. */
export type Measured = { name: string; pid: number };

/**
 * CPU seconds used so far by name; processes with equal names are added. An ended process, or a system without /proc,
 * counts 0.
 */
export function cpuSeconds(processes: readonly Measured[]): Map<string, number> {
  const all = readAll();
  const used = new Map<string, number>();
  const add = (name: string, seconds: number) => used.set(name, (used.get(name) ?? 0) + seconds);
  for (const { name, pid } of processes) {
    const family = [...all].filter(([candidate, one]) => candidate === pid || one.parent === pid);
    add(name, family.reduce((sum, [, one]) => sum + one.ticks, 0) / TICKS_A_SECOND);
    // The main thread of Node runs the code. Its other threads mostly collect garbage and compile.
    if (NODE_PROCESSES.has(name))
      add(`${name}, other threads`, (all.get(pid)?.ticks ?? 0) / TICKS_A_SECOND - mainThreadCpuSeconds(pid));
  }
  return used;
}

/** CPU seconds of only the main thread, which runs JavaScript. */
export function mainThreadCpuSeconds(pid: number): number {
  return (readStat(`${pid}/task/${pid}`)?.ticks ?? 0) / TICKS_A_SECOND;
}

/** Memory of one process in MiB: resident, and proportional (shared pages divided); undefined without /proc. */
export type Memory = { residentMib: number; proportionalMib: number };

export function readMemory(pid: number): Memory | undefined {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    const mib = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(rollup)?.[1]) / 1_024;
    return { residentMib: mib('Rss'), proportionalMib: mib('Pss') };
  } catch {
    return undefined; // Not Linux, or the process has ended.
  }
}

/** Resident memory in MiB, cheap enough to be read often; undefined without /proc. */
export function residentMib(pid: number): number | undefined {
  try {
    const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kib === undefined ? undefined : Number(kib) / 1_024;
  } catch {
    return undefined; // Not Linux, or the process has ended.
  }
}

const NODE_PROCESSES = new Set(['api', 'dispatcher', 'all']);
const TICKS_A_SECOND = 100;

function readAll(): Map<number, { parent: number; ticks: number }> {
  const all = new Map<number, { parent: number; ticks: number }>();
  try {
    for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      const stat = readStat(entry);
      if (stat !== undefined) all.set(Number(entry), stat);
    }
  } catch {
    // Not Linux: no figures.
  }
  return all;
}

function readStat(place: string): { parent: number; ticks: number } | undefined {
  try {
    const text = readFileSync(`/proc/${place}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    // The process's own time and the time of its ended children, because a server's connection processes come and go.
    const ticks = [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field]), 0);
    return { parent: Number(fields[1]), ticks };
  } catch {
    return undefined; // It has just ended.
  }
}
