import { spawn } from 'node:child_process';

/** Ends what the launcher started when the launcher itself is killed and can end nothing any more. */
export type Guard = {
  pid: number | undefined;
  /** From now on this process group is ended with the launcher: asked with `signal`, killed five seconds later. */
  watch(pid: number, signal: 'TERM' | 'INT'): void;
  /** The process has ended; its number may become another's. */
  forget(pid: number): void;
  /** Ends the guard, which has nothing to do where everything has ended. */
  dismiss(): Promise<void>;
};

// Reads "+ pid signal" and "- pid" until its input ends, which is when the launcher is gone. What is still listed
// then was left behind; `$@` is removed in that case.
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

export const GUARD_NAME = 'posthorn-guard';

/**
 * Starts the guard: a small shell in a session of its own, which ends by itself when the launcher does. `remove` names
 * what must not stay behind either.
 */
export function startGuard(remove: string[]): Guard {
  const shell = spawn('/bin/sh', ['-c', SCRIPT, GUARD_NAME, ...remove], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  // Without its guard the launcher still ends everything itself, in every case but its own sudden death.
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
