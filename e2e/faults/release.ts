import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
// The path is relative to dist, where the compiled file is.
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'posthorn/releases');

/**
 * The newest release in CHANGELOG.md before this version. It is built once from this checkout's history, and cached.
 */
export async function previousRelease(): Promise<string> {
  const commit = releasedCommit();
  const checkout = join(CACHE, commit);
  if (existsSync(join(checkout, BUILT))) return checkout;
  rmSync(checkout, { recursive: true, force: true });
  mkdirSync(checkout, { recursive: true });
  // Git gets a separate index, so that the one of this checkout does not change.
  const env = { ...process.env, GIT_INDEX_FILE: join(CACHE, `${commit}.index`) };
  await run('git', ['read-tree', commit], { cwd: ROOT, env });
  await run('git', ['checkout-index', '--all', `--prefix=${checkout}/`], { cwd: ROOT, env });
  const prepare = pathToFileURL(join(checkout, 'devstack/prepare.mjs')).href;
  const build = `const { prepare } = await import(${JSON.stringify(prepare)});
    await prepare({ projects: ['services/api', 'services/dispatcher'] });`;
  await run(process.execPath, ['--input-type=module', '--eval', build], { cwd: checkout });
  return checkout;
}

export function migrationsOf(checkout: string): string {
  return join(checkout, 'prisma/migrations');
}

export const ownCheckout = ROOT;
export const ownMigrations = migrationsOf(ROOT);

/** The build writes this file last, so it shows that a build is complete. */
const BUILT = 'services/dispatcher/dist/main.js';

/**
 * The commit of the newest release that is not this version, from a heading such as `## 0.1.0 (2026-11-22, 2543ae0)`.
 */
function releasedCommit(): string {
  const own: { version: string } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const changes = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8');
  const releases = [...changes.matchAll(/^## (\d[\d.]*) \([\d-]+, ([\da-f]+)\)$/gm)];
  const commit = releases.find(([, version]) => version !== own.version)?.[2];
  if (commit === undefined) throw new Error('CHANGELOG.md names no earlier release');
  return commit;
}
