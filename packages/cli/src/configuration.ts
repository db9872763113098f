import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseUrl } from '@posthorn/runtime/parse-url';
import { parse, stringify } from 'smol-toml';
import { Usage } from './failure.ts';
import type { Terminal } from './terminal.ts';

/** A profile in the file: the address of a Posthorn, and a credential for it. */
export type Profile = {
  base_url?: string;
  /** A management token, or the session of `posthorn login`. */
  token?: string;
  api_key?: string;
  workspace?: string;
  /** An environment's id or slug. */
  environment?: string;
  /** The pull endpoints of `posthorn listen`, by name. */
  listeners?: Record<string, Listener>;
};

/** The key is for this endpoint at this address. */
export type Listener = { base_url: string; endpoint: string; pull_key: string };

export type Configuration = {
  /** The profile to use if none is named. */
  current: string;
  profiles: Record<string, Profile>;
};

const DEFAULT_PROFILE = 'default';

export function configurationFile({ env }: Terminal): string {
  return join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'posthorn', 'config.toml');
}

/**
 * Falls back to an empty configuration if the file cannot be read and the environment variables give everything needed.
 */
export async function readConfigurationIfNeeded(
  terminal: Terminal,
  profile: string | undefined,
): Promise<Configuration> {
  const { POSTHORN_API_KEY, POSTHORN_BASE_URL, POSTHORN_PROFILE, POSTHORN_TOKEN } = terminal.env;
  const isSaid = POSTHORN_BASE_URL && (POSTHORN_TOKEN || POSTHORN_API_KEY) && !profile && !POSTHORN_PROFILE;
  return readConfiguration(terminal).catch((error) => {
    if (isSaid) return { current: DEFAULT_PROFILE, profiles: {} };
    throw error;
  });
}

/** The configuration; empty if there is no file. */
export async function readConfiguration(terminal: Terminal): Promise<Configuration> {
  const file = configurationFile(terminal);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw new Usage(`${file} cannot be read: ${error.code}`);
  });
  return parseConfiguration(text, file);
}

function parseConfiguration(text: string, file: string): Configuration {
  let read: { current?: unknown; profiles?: unknown };
  try {
    read = parse(text);
  } catch (error) {
    throw new Usage(`${file} is not TOML: ${String((error as Error).message).split('\n')[0]}`);
  }
  const { current = DEFAULT_PROFILE, profiles = {} } = read;
  if (typeof current !== 'string') throw new Usage(`${file}: current must be the name of a profile`);
  if (!isTable(profiles) || !Object.values(profiles).every(isTable)) {
    throw new Usage(`${file}: profiles must be tables, such as [profiles.default]`);
  }
  for (const profile of Object.values(profiles as Configuration['profiles'])) {
    for (const one of [profile, ...Object.values(isTable(profile.listeners) ? profile.listeners : {})]) {
      if (typeof one.base_url === 'string') one.base_url = plainAddress(one.base_url);
    }
  }
  return { current, profiles: profiles as Configuration['profiles'] };
}

/** Addresses are compared as texts in this form: it has no slash at its end. */
export function plainAddress(address: string): string {
  const { href } = parseUrl(address) ?? { href: address };
  return href.endsWith('/') ? href.slice(0, -1) : href;
}

/** Readable by its owner alone, because it has credentials. It is replaced as a whole: an interruption leaves the old one. */
export async function writeConfiguration(terminal: Terminal, configuration: Configuration): Promise<void> {
  const file = configurationFile(terminal);
  const next = `${file}.${globalThis.process.pid}`;
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(next, `${stringify(configuration)}\n`, { mode: 0o600 });
    await rename(next, file);
  } catch (error) {
    throw new Usage(`${file} cannot be written: ${(error as NodeJS.ErrnoException).code}`);
  }
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
