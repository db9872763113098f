import { startGuard } from './guard.ts';
import { makeHomeFolder } from './home-folder.ts';
import { lockHome } from './home-lock.ts';
import { instanceFile, removeInstanceFile } from './instance-file.ts';
import { rootsFolder } from './postgres-place.ts';
import type { Run } from './run.ts';
import { createSupervisor, type Supervisor } from './supervisor.ts';

const GUARD_ENDS_BY_MS = 29_500;

/**
 * Opens a home: makes the folder for its owner only, locks it against a second launcher and removes the instance file
 * of an earlier one. Returns the supervisor of its programs. A temporary home is removed even if this process is
 * killed.
 */
export async function openHome(run: Run, home: string, throwaway = false): Promise<Supervisor> {
  const logs = makeHomeFolder(home);
  const guard = startGuard([instanceFile(home), ...(throwaway ? [home, rootsFolder(home)] : [])]);
  run.onStop({ name: 'guard', hurryAfterMs: GUARD_ENDS_BY_MS, stop: () => guard.dismiss() });
  await lockHome(run, home, guard.pid);
  removeInstanceFile(home);
  return createSupervisor(run, logs, guard);
}
