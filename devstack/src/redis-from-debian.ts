import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CommandResult, runCommand } from './command.ts';
import { projectRoot } from './project-root.ts';
import { findOnPath, inspectRedis, type RedisBinary } from './redis-binary.ts';
import type { Run } from './run.ts';
import { say } from './say.ts';

// Inside node_modules: shared by every instance of this checkout, and removed with it.
const CACHE = join(projectRoot, 'node_modules/.cache/posthorn');
const UNPACKED = join(CACHE, 'redis');
const TIMEOUT_MS = 120_000;
/** Exists since the packages could not be downloaded. */
const FAILED = join(CACHE, 'redis-not-downloaded');
const TRIED_AGAIN_AFTER_MS = 86_400_000;
const LIBRARIES = /^lib(lzf|jemalloc|atomic|lua|hiredis|ssl)/;

/**
 * On Debian and Ubuntu: fetches the distribution's own Redis and unpacks it into a cache folder. Nothing is installed
 * and no privilege is needed. Undefined if this is another system or the packages cannot be downloaded. An optional one is
 * tried once a day: a network that drops packets costs minutes.
 */
export async function unpackRedisFromDebian(
  run: Run,
  { isOptional }: { isOptional: boolean } = { isOptional: false },
): Promise<RedisBinary | undefined> {
  if (!['apt-get', 'apt-cache', 'dpkg', 'dpkg-query'].every((tool) => findOnPath(tool))) return undefined;
  const kept = await inspectUnpacked(run);
  if (kept !== undefined) return kept;
  if (isOptional && hasFailedLately(run)) return undefined;
  say('redis', 'none is installed: fetching the Debian package (about 2 MB, into node_modules/.cache) …');
  mkdirSync(CACHE, { recursive: true });
  const work = mkdtempSync(join(CACHE, 'unpack-'));
  try {
    // First with the system's package lists; if they are missing or too old, with separate lists.
    const own = ownLists(work);
    if (!(await download(run, work, [])) && !((await update(run, own)) && (await download(run, work, own)))) {
      writeFileSync(FAILED, '');
      return undefined;
    }
    for (const file of readdirSync(work).filter((name) => name.endsWith('.deb'))) {
      const unpacked = await runCommand('dpkg', ['-x', join(work, file), join(work, 'tree')], limits(run));
      if (!unpacked.ok) return undefined;
    }
    rmSync(UNPACKED, { recursive: true, force: true });
    renameSync(join(work, 'tree'), UNPACKED);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return await inspectUnpacked(run);
}

function hasFailedLately({ clock }: Run): boolean {
  const failed = statSync(FAILED, { throwIfNoEntry: false });
  return failed !== undefined && clock.now().getTime() - failed.mtimeMs < TRIED_AGAIN_AFTER_MS;
}

async function inspectUnpacked(run: Run): Promise<RedisBinary | undefined> {
  const command = join(UNPACKED, 'usr/bin/redis-server');
  if (!existsSync(command)) return undefined;
  const folders = ['lib', 'usr/lib'].flatMap((folder) => subfolders(join(UNPACKED, folder)));
  return await inspectRedis(run, command, { ...process.env, LD_LIBRARY_PATH: folders.join(':') });
}

async function download(run: Run, work: string, options: string[]): Promise<boolean> {
  const depends = await apt(run, 'apt-cache', [...options, 'depends', 'redis-server', 'redis-tools']);
  if (!depends.ok) return false;
  const needed = [...depends.output.matchAll(/Depends: (\S+)/g)].map(([, name]) => String(name));
  const wanted = new Set(['redis-server', 'redis-tools']);
  for (const name of needed) {
    if (LIBRARIES.test(name) && !(await isInstalled(run, name))) wanted.add(name);
  }
  const fetched = await apt(run, 'apt-get', [...options, 'download', ...wanted], work);
  return fetched.ok;
}

async function update(run: Run, options: string[]): Promise<boolean> {
  return (await apt(run, 'apt-get', [...options, 'update'])).ok;
}

async function isInstalled(run: Run, name: string): Promise<boolean> {
  const status = await runCommand('dpkg-query', ['-s', name], limits(run));
  return status.ok && status.output.includes('Status: install ok installed');
}

function ownLists(work: string): string[] {
  const lists = join(work, 'lists');
  const cache = join(work, 'cache');
  mkdirSync(join(lists, 'partial'), { recursive: true });
  mkdirSync(join(cache, 'archives/partial'), { recursive: true });
  return ['-o', `Dir::State::lists=${lists}`, '-o', `Dir::Cache=${cache}`];
}

function apt(run: Run, tool: string, args: string[], cwd?: string): Promise<CommandResult> {
  const patience = ['-o', 'Acquire::Retries=0', '-o', 'Acquire::http::Timeout=5', '-o', 'Acquire::https::Timeout=5'];
  // As root, apt downloads as a user that may not enter this folder.
  const asOurselves = process.getuid?.() === 0 ? ['-o', 'APT::Sandbox::User=root'] : [];
  return runCommand(tool, [...patience, ...asOurselves, ...args], { ...limits(run), cwd });
}

function limits(run: Run) {
  return { signal: run.signal, timeoutMs: TIMEOUT_MS, env: { ...process.env, LC_ALL: 'C' } };
}

function subfolders(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const inside = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [folder, ...inside.map((entry) => join(folder, entry.name))];
}
