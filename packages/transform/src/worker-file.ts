/** The program of a lane's thread. A bundle has a separate file for it (devstack/bundle.mjs). */
export const WORKER_FILE = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url);
