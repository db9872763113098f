import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';

/** Runs `$0` with its arguments, and ends the whole group when the program ends or when standard input does. */
export const END_WITH_INPUT = 'exec 3<&0; { cat <&3 >/dev/null; kill -9 0; } & "$0" "$@" 3<&- </dev/null; kill -9 0';

/**
 * Starts a program that starts others, all in a process group of their own, so that `process.kill(-pid)` ends them together.
 * They also end with this process, however it ends: its end of their pipe closes even after SIGKILL.
 */
export function spawnGroup(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): ChildProcessWithoutNullStreams {
  return spawn('sh', ['-c', END_WITH_INPUT, program, ...args], { env, detached: true });
}
