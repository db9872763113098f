import { readFileSync } from 'node:fs';
import type { Member } from '../member.ts';
import { ask } from './ask.ts';

/** The resident memory of a Linux process in MiB. `highWater` is its peak. */
export function residentMb(pid: number, which: 'now' | 'highWater'): number {
  const field = which === 'now' ? 'VmRSS' : 'VmHWM';
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1_024);
}

export type ProcessWatch = {
  /** The maxima over all lives so far: the longest block of the event loop in ms, and the peak of resident memory. */
  most: () => { blockedMs: number; residentMb: number };
  end: () => Promise<void>;
};

const READ_EVERY_MS = 250;

/**
 * Watches a process from outside, from now on. Its metrics show how long its event loop was blocked since the previous
 * reading. If the process dies while its loop is blocked, the unanswered reading shows it.
 */
export async function watchMember(member: Member, elapsed: (ms: number) => Promise<void>): Promise<ProcessWatch> {
  const most = { blockedMs: 0, residentMb: 0 };
  let isOver = false;
  const look = async () => {
    const pid = member.pid();
    if (pid === undefined) return;
    const { status, text, afterMs } = await ask('GET', `${member.metricsUrl}/metrics`, { withinMs: 60_000 });
    const lagSeconds = Number(/^nodejs_eventloop_lag_max_seconds ([\d.e+-]+)/m.exec(text)?.[1] ?? 0);
    most.blockedMs = Math.max(most.blockedMs, status === 200 ? lagSeconds * 1_000 : afterMs);
  };
  const keepLooking = async () => {
    while (!isOver) {
      await look();
      await elapsed(READ_EVERY_MS);
    }
  };
  // The first reading resets the earlier maximum.
  await look();
  most.blockedMs = 0;
  const timer = setInterval(() => {
    most.residentMb = Math.max(most.residentMb, residentOf(member));
  }, READ_EVERY_MS);
  const looking = keepLooking();
  return {
    most: () => ({ ...most }),
    async end() {
      isOver = true;
      clearInterval(timer);
      await looking;
    },
  };
}

/** The peak of the process's memory; 0 if it does not run. */
function residentOf(member: Member): number {
  const pid = member.pid();
  if (pid === undefined) return 0;
  try {
    // The entry of a process that has just ended lacks this line.
    return residentMb(pid, 'highWater') || 0;
  } catch {
    return 0; // The process has just ended.
  }
}
