// Finds out when a process began. Only the process id and the start together identify a process: an id is used again
// later, and threads of other processes have ids, too.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The start of a process. Undefined if there is no such process, or if the system does not tell. */
export function startOfProcess(pid) {
  try {
    if (process.platform !== 'linux') {
      const options = {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
        timeout: 10_000,
        env: { ...process.env, LC_ALL: 'C' },
      };
      const [command, ...args] =
        process.platform === 'win32'
          ? ['powershell', '-NoProfile', '-Command', `(Get-Process -Id ${Number(pid)}).StartTime.Ticks`]
          : ['ps', '-o', 'lstart=', '-p', String(pid)];
      return execFileSync(command, args, options).trim().replaceAll(/\s+/g, '-') || undefined;
    }
    // The name of the program, in brackets, may itself contain blanks and brackets. The start is the 22nd field.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

/** Whether the process with this id lives, and began at this time. */
export function isSameProcess(pid, start) {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process lives, and belongs to another user.
    if (error.code !== 'EPERM') return false;
  }
  const found = startOfProcess(pid);
  return found === undefined || found === start;
}
