import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';

/**
 * A shell script that runs `$0` with its arguments. It kills the whole group when the program or standard input ends.
 */
export const END_WITH_INPUT = 'exec 3<&0; { cat <&3 >/dev/null; kill -9 0; } & "$0" "$@" 3<&- </dev/null; kill -9 0';

/**
 * Starts a program that starts others, all in their own process group, so that `process.kill(-pid)` ends them together.
 * They also end when this process ends, even by SIGKILL: its end of their pipe closes.
 */
export function spawnGroup(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): ChildProcessWithoutNullStreams {
  return spawn('sh', ['-c', END_WITH_INPUT, program, ...args], { env, detached: true });
}
