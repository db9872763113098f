// Gives a program its own process group: Ctrl-C in a terminal reaches only the launcher, and the whole group ends
// together. Windows has neither groups nor signals. There, a program and everything that it has started end at once.
import { spawnSync } from 'node:child_process';

const isWindows = process.platform === 'win32';

/** Options of `spawn`. On Windows a detached program would get a window of its own. */
export const IN_OWN_GROUP = isWindows ? { windowsHide: true } : { detached: true };

/** Signals the group of a program; signal 0 only checks. Returns whether there was a group. */
export function signalGroup(pid, signal) {
  if (pid === undefined) return false;
  try {
    if (!isWindows) return process.kill(-pid, signal);
    if (signal === 0) return process.kill(pid, 0);
    return spawnSync('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore' }).status === 0;
  } catch {
    return false; // The whole group has ended.
  }
}
