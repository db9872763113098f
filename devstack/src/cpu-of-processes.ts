import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts the CPU time of processes in hundredths of a second. */
const TICKS_PER_SECOND = 100;

type Stat = { parent: number; own: number; ofEnded: number };

/**
 * The seconds of CPU (user and system) that the children of this process and all their descendants have used, also
 * those that have ended. 0 on systems without `/proc`. A process whose parent ended before it is not counted.
 */
export function cpuOfProcesses(): number {
  const stats = readStats();
  const self = stats.get(process.pid);
  if (self === undefined) return 0;
  let ticks = self.ofEnded;
  for (const [pid, { own, ofEnded }] of stats) if (descends(pid, stats)) ticks += own + ofEnded;
  return ticks / TICKS_PER_SECOND;
}

function descends(pid: number, stats: ReadonlyMap<number, Stat>): boolean {
  for (let one = stats.get(pid); one !== undefined; one = stats.get(one.parent)) {
    if (one.parent === process.pid) return true;
  }
  return false;
}

function readStats(): Map<number, Stat> {
  const stats = new Map<number, Stat>();
  for (const name of processes()) {
    const stat = readStat(name);
    if (stat !== undefined) stats.set(Number(name), stat);
  }
  return stats;
}

function processes(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return []; // This system has no /proc.
  }
}

/** Fields of `/proc/<pid>/stat`: proc_pid_stat(5). The name in parentheses may itself have blanks and parentheses. */
function readStat(pid: string): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [parent = 0, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [1, 11, 12, 13, 14].map(
      (n) => fields[n],
    );
    return { parent, own: user + system, ofEnded: endedUser + endedSystem };
  } catch {
    return undefined; // It has ended.
  }
}
