import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootsFolder } from './postgres-place.ts';
import type { Run } from './run.ts';

/** A home for one run in `parent`, removed at its end with the Postgres data outside it. */
export function throwAwayHome(run: Run, name: string, removedByMs: number, parent = tmpdir()): string {
  const home = mkdtempSync(join(parent, `posthorn-${name}-`));
  run.onStop({
    name: `${name} home`,
    hurryAfterMs: removedByMs,
    stop: async () => {
      for (const folder of [home, rootsFolder(home)]) rmSync(folder, { recursive: true, force: true });
    },
  });
  return home;
}
