import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runCommand } from './command.ts';
import type { Run } from './run.ts';

/** A Redis server that can run here, with the environment that it needs. */
export type RedisBinary = { command: string; environment: NodeJS.ProcessEnv; version: string };

/**
 * The oldest versions, as in docs/operating/configure.md. BullMQ recommends them; it refuses only a server before 5.0.
 */
const OLDEST = { redis: [6, 2], valkey: [7, 2] } as const;

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
  const version = result.ok ? supportedVersion(result.output) : undefined;
  return version === undefined ? undefined : { command, environment, version };
}

/** The name and version in the output of `--version`; undefined when it is older than the services need. */
export function supportedVersion(output: string): string | undefined {
  // "Redis server v=7.0.15 sha=…", "Valkey server v=8.0.1 sha=…"
  const [, name, major, minor, rest] = /(redis|valkey) server v=(\d+)\.(\d+)([.\d]*)/i.exec(output) ?? [];
  if (name === undefined) return undefined;
  const [oldestMajor, oldestMinor] = name.toLowerCase() === 'valkey' ? OLDEST.valkey : OLDEST.redis;
  const isOld = Number(major) < oldestMajor || (Number(major) === oldestMajor && Number(minor) < oldestMinor);
  return isOld ? undefined : `${name} ${major}.${minor}${rest}`;
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
