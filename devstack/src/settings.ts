import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SOURCED_BASE_URL } from './environment-file.ts';
import { Failure } from './failure.ts';
import { projectRoot } from './project-root.ts';

/** The settings of the launcher itself; all other variables of the caller are passed to the services unchanged. */
export type LauncherSettings = {
  /** The API's port; 0 is any free one. Undefined when the caller chose none. */
  port: number | undefined;
  /** The folder for all data of this instance. */
  home: string;
  /** The number of dispatcher processes. */
  dispatchers: number;
  /** The caller's environment, with `NAME` instead of the `NAME_FILE` of each setting that the launcher uses. */
  environment: NodeJS.ProcessEnv;
};

/**
 * The settings that the launcher reads or sets. A service would refuse `NAME_FILE` beside `NAME`. The services read the
 * files of all other settings themselves.
 */
const FROM_FILES = [
  'PORT',
  'DISPATCHERS',
  'DATABASE_URL',
  'DATABASE_OWNER_URL',
  'DATABASE_DIRECT_URL',
  'REDIS_URL',
  'REDIS_CA',
  'REDIS_SENTINEL_PASSWORD',
  'QUEUE_PREFIX',
  'BASE_URL',
  'LISTEN_ADDRESS',
  'METRICS_PORT',
  'QUEUE_BOARD_URL',
  'EGRESS_ALLOW_CIDRS',
  'SMTP_URL',
  'SEALING_KEYS',
  'CURSOR_KEYS',
  'ADMIN_PORT',
  'ADMIN_USER',
  'ADMIN_PASSWORD',
  'BOOTSTRAP_EMAIL',
  'BOOTSTRAP_PASSWORD',
  'BOOTSTRAP_MANAGEMENT_TOKEN',
  'BOOTSTRAP_API_KEY',
];

/** Reads the settings once; an invalid one is a Failure that names it. An empty value counts as unset. */
export function readLauncherSettings(callers: NodeJS.ProcessEnv): LauncherSettings {
  const environment = withoutEmpty(callers);
  for (const name of FROM_FILES) takeFromFile(environment, name);
  // A shell that has read an instance's `env` file also passes its address on to the start of another instance.
  if (environment.BASE_URL === environment[SOURCED_BASE_URL]) delete environment.BASE_URL;
  const { BASE_URL: baseUrl } = environment;
  // Trailing slashes are removed, because the services add paths.
  if (baseUrl !== undefined) environment.BASE_URL = baseUrl.replace(/(?<!\/)\/+$/, '') || baseUrl;
  return {
    port: wholeNumber(environment, 'PORT', 65_535),
    home: homeOf(environment),
    dispatchers: wholeNumber(environment, 'DISPATCHERS', 64) ?? 1,
    environment,
  };
}

/** The folder of an instance: POSTHORN_HOME, else `.posthorn` in the checkout. */
export function homeOf({ POSTHORN_HOME }: NodeJS.ProcessEnv): string {
  return resolve(POSTHORN_HOME || join(projectRoot, '.posthorn'));
}

function wholeNumber(environment: NodeJS.ProcessEnv, name: string, most: number): number | undefined {
  const text = environment[name];
  if (text === undefined) return undefined;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= 0 && value <= most) return value;
  throw new Failure(`${name} must be a whole number from 0 to ${most}.`, 'Correct or unset it.', 2);
}

/** An empty EGRESS_ALLOW_CIDRS allows nothing; an unset one allows loopback in this mode. */
function countsAsSet(name: string, value: string | undefined): boolean {
  return value !== '' || name === 'EGRESS_ALLOW_CIDRS';
}

function withoutEmpty(callers: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(callers).filter(([name, value]) => countsAsSet(name, value)));
}

/** Replaces `NAME_FILE` by `NAME`, as the services do (`readSettings`). */
function takeFromFile(environment: NodeJS.ProcessEnv, name: string): void {
  const file = environment[`${name}_FILE`];
  if (file === undefined) return;
  if (environment[name]) {
    throw new Failure(`${name} and ${name}_FILE are both set.`, 'Keep one of them.', 2);
  }
  const content = read(name, file).replace(/\r?\n$/, '');
  if (countsAsSet(name, content)) environment[name] = content;
  delete environment[`${name}_FILE`];
}

function read(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new Failure(`${name}_FILE names ${file}, which cannot be read.`, 'Correct it.', 2);
  }
}
