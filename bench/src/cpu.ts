import { readdirSync, readFileSync } from 'node:fs';

/** CPU seconds that a process and its children have used so far, by name; empty where there is no /proc. */
export function cpuSeconds(processes: readonly { name: string; pid: number }[]): Map<string, number> {
  const all = readAll();
  return new Map(
    processes.flatMap(({ name, pid }) => {
      const family = [...all].filter(([candidate, one]) => candidate === pid || one.parent === pid);
      return family.length === 0 ? [] : [[name, family.reduce((sum, [, one]) => sum + one.ticks, 0) / TICKS_A_SECOND]];
    }),
  );
}

/** Resident memory of a process in MiB, or undefined where there is no /proc. */
export function residentMib(pid: number): number | undefined {
  try {
    const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kib === undefined ? undefined : Number(kib) / 1_024;
  } catch {
    return undefined; // Not Linux, or gone.
  }
}

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

function readStat(pid: string): { parent: number; ticks: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    // Its own time, and that of its children that have ended: a server's connections come and go.
    const ticks = [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field]), 0);
    return { parent: Number(fields[1]), ticks };
  } catch {
    return undefined; // It has just ended.
  }
}
