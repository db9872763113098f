import { join } from 'node:path';
import { projectRoot } from './project-root.ts';
import type { Run } from './run.ts';
import { say } from './say.ts';
import type { Supervisor } from './supervisor.ts';

const HURRY_AFTER_MS = 2_000;
const PAGES_URL = 'http://127.0.0.1:5173';

/** Starts Vite, which serves the dashboard and the portal from their sources and shows every change at once. */
export function startPages(run: Run, supervisor: Supervisor, apiUrl: string): void {
  const pages = supervisor.keep({
    name: 'pages',
    command: process.execPath,
    args: [join(projectRoot, 'packages/web/node_modules/vite/bin/vite.js'), '--host=127.0.0.1', '--strictPort'],
    env: { ...process.env, BASE_URL: apiUrl },
    cwd: join(projectRoot, 'packages/web'),
    stopSignal: 'SIGTERM',
    hurrySignal: 'SIGKILL',
  });
  run.onStop({ name: 'pages', hurryAfterMs: HURRY_AFTER_MS, stop: pages.stop });
  say('pages', `${PAGES_URL} shows every change of packages/web; the services start again when theirs change`);
}
