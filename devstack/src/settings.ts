import { join, resolve } from 'node:path';
import { SOURCED_BASE_URL } from './environment-file.ts';
import { Failure } from './failure.ts';
import { readIfThere } from './private-file.ts';
import { projectRoot } from './project-root.ts';

/** The settings of the launcher itself; all other variables of the caller are passed to the services unchanged. */
export type LauncherSettings = {
  /** The API's port; 0 is any free one. */
  port: number;
  /** The folder for all data of this instance. */
  home: string;
  /** The number of dispatcher processes. */
  dispatchers: number;
  /** The caller's environment, with each secret's `NAME_FILE` replaced by `NAME`. */
  environment: NodeJS.ProcessEnv;
};

const SECRETS = [
  'DATABASE_URL',
  'DATABASE_OWNER_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_READ_URL',
  'REDIS_URL',
  'REDIS_CA',
  'REDIS_SENTINEL_PASSWORD',
  'SEALING_KEYS',
  'CURSOR_KEYS',
  'ADMIN_PASSWORD',
  'BOOTSTRAP_PASSWORD',
  'BOOTSTRAP_MANAGEMENT_TOKEN',
  'BOOTSTRAP_API_KEY',
];

/** Reads the settings once; an invalid one is a Failure that names it. An empty value counts as unset. */
export function readLauncherSettings(callers: NodeJS.ProcessEnv): LauncherSettings {
  // An empty EGRESS_ALLOW_CIDRS allows nothing; an unset one allows loopback in this mode.
  const counts = ([name, value]: [string, string | undefined]) => value !== '' || name === 'EGRESS_ALLOW_CIDRS';
  const environment = Object.fromEntries(Object.entries(callers).filter(counts));
  for (const name of SECRETS) takeFromFile(environment, name);
  // A shell that has read an instance's `env` file passes that instance's address on, also to a start of another one.
  if (environment.BASE_URL === environment[SOURCED_BASE_URL]) delete environment.BASE_URL;
  return {
    port: wholeNumber(environment, 'PORT', 3000, 65_535),
    home: homeOf(environment),
    dispatchers: wholeNumber(environment, 'DISPATCHERS', 1, 64),
    environment,
  };
}

/** The folder of an instance: POSTHORN_HOME, else `.posthorn` in the checkout. */
export function homeOf({ POSTHORN_HOME }: NodeJS.ProcessEnv): string {
  return resolve(POSTHORN_HOME || join(projectRoot, '.posthorn'));
}

function wholeNumber(environment: NodeJS.ProcessEnv, name: string, usual: number, most: number): number {
  const text = environment[name];
  if (text === undefined) return usual;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= 0 && value <= most) return value;
  throw new Failure(`${name} must be a whole number from 0 to ${most}.`, `Unset it for ${usual}.`, 2);
}

function takeFromFile(environment: NodeJS.ProcessEnv, name: string): void {
  const file = environment[`${name}_FILE`];
  if (file === undefined) return;
  if (environment[name] !== undefined) {
    throw new Failure(`${name} and ${name}_FILE are both set.`, 'Keep one of them.', 2);
  }
  const content = readIfThere(file);
  if (content === undefined) throw new Failure(`${name}_FILE names ${file}, which does not exist.`, 'Correct it.', 2);
  environment[name] = content.replace(/\r?\n$/, '');
  delete environment[`${name}_FILE`];
}
