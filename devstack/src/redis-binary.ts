import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runCommand } from './command.ts';
import type { Run } from './run.ts';

/** A Redis server that can run here, with the environment that it needs. */
export type RedisBinary = { command: string; environment: NodeJS.ProcessEnv; version: string };

const OLDEST_MAJOR = { redis: 6, valkey: 7 };

/** The Redis or Valkey that is installed, if it is recent enough. */
export async function findInstalledRedis(run: Run): Promise<RedisBinary | undefined> {
  for (const name of ['redis-server', 'valkey-server']) {
    const command = findOnPath(name);
    const binary = command && (await inspectRedis(run, command, process.env));
    if (binary) return binary;
  }
  return undefined;
}

/** Runs the server's `--version`; undefined when it cannot run here or is too old. */
export async function inspectRedis(
  run: Run,
  command: string,
  environment: NodeJS.ProcessEnv,
): Promise<RedisBinary | undefined> {
  const result = await runCommand(command, ['--version'], { signal: run.signal, timeoutMs: 10_000, env: environment });
  // "Redis server v=7.0.15 sha=…", "Valkey server v=8.0.1 sha=…"
  const [, name, major, rest] = /(redis|valkey) server v=(\d+)([.\d]*)/i.exec(result.output) ?? [];
  if (!result.ok || name === undefined) return undefined;
  const oldest = name.toLowerCase() === 'valkey' ? OLDEST_MAJOR.valkey : OLDEST_MAJOR.redis;
  return Number(major) >= oldest ? { command, environment, version: `${name} ${major}${rest}` } : undefined;
}

/** The program's full path; undefined if it is not on the PATH. */
export function findOnPath(name: string): string | undefined {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const candidate = join(folder, name);
    try {
      accessSync(candidate, constants.X_OK);
      return candidate;
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}
