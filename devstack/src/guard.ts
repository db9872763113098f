import { spawn } from 'node:child_process';
import { IN_OWN_GROUP } from '../process-group.mjs';

/** Ends the launcher's child processes if the launcher itself is killed. */
export type Guard = {
  pid: number | undefined;
  /** Adds a process group that ends with the launcher: by `signal`, then by SIGKILL five seconds later. */
  watch(pid: number, signal: 'TERM' | 'INT'): void;
  /** Removes a process that has ended; its pid may be reused. */
  forget(pid: number): void;
  /** Ends the guard; it does nothing more if everything has ended. */
  dismiss(): Promise<void>;
};

// Reads "+ pid signal" and "- pid" until its input ends, which happens when the launcher has ended. Processes still
// listed then were left behind; in that case `$@` is removed too.
const SCRIPT = `
pids=
while read -r sign pid signal; do
  kept=
  for entry in $pids; do [ "\${entry%%:*}" = "$pid" ] || kept="$kept $entry"; done
  pids=$kept
  [ "$sign" = + ] && pids="$pids $pid:$signal"
done
[ -n "$pids" ] || exit 0
for entry in $pids; do kill -"\${entry##*:}" -"\${entry%%:*}"; done
for second in 1 2 3 4 5; do
  left=
  for entry in $pids; do kill -0 -"\${entry%%:*}" && left=yes; done
  [ -n "$left" ] || break
  sleep 1
done
for entry in $pids; do kill -KILL -"\${entry%%:*}"; done
[ $# -eq 0 ] || rm -rf -- "$@"
`;

const GUARD_NAME = 'posthorn-guard';

/** Windows has no such shell: after a launcher is killed there, the processes that it started go on. */
const NO_GUARD: Guard = { pid: undefined, watch: () => {}, forget: () => {}, dismiss: async () => {} };

/**
 * Starts the guard: a small shell in its own session, which ends by itself when the launcher ends. `remove` lists files
 * to remove if the launcher was killed.
 */
export function startGuard(remove: string[]): Guard {
  if (process.platform === 'win32') return NO_GUARD;
  const shell = spawn('/bin/sh', ['-c', SCRIPT, GUARD_NAME, ...remove], {
    stdio: ['pipe', 'ignore', 'ignore'],
    ...IN_OWN_GROUP,
  });
  // Without its guard the launcher still ends everything itself, unless it is killed.
  shell.on('error', () => {});
  shell.stdin.on('error', () => {});
  const ended = new Promise<void>((resolve) => {
    shell.once('exit', () => resolve());
    shell.once('error', () => resolve());
  });
  return {
    pid: shell.pid,
    watch: (pid, signal) => void shell.stdin.write(`+ ${pid} ${signal}\n`),
    forget: (pid) => void shell.stdin.write(`- ${pid}\n`),
    dismiss: () => {
      shell.stdin.end();
      return ended;
    },
  };
}
