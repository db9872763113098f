import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { z } from 'zod';
import { knownSecretFaults } from './known-secrets.ts';
import { LOG_LEVELS } from './logger.ts';
import { tracingSettings } from './start-tracing.ts';

/** Settings that cannot be used. Its message lists every fault at once, each with the setting's name. */
export class SettingsError extends Error {
  override name = 'SettingsError';
}

/**
 * Reads a process's settings once, whole. A secret may come from a file: `NAME_FILE=/path` stands for `NAME` set to
 * that file's content without its last line break. An empty value counts as unset. Secrets that this project has
 * published are refused where `BASE_URL`, if it is among the settings, is not local.
 * Throws SettingsError, which never repeats a secret.
 */
export function readSettings<Schema extends z.ZodObject>(
  schema: Schema,
  environment: Record<string, string | undefined> = process.env,
): z.output<Schema> {
  const faults: string[] = [];
  const given: Record<string, string> = {};
  const unread = new Set<unknown>();
  for (const name of Object.keys(schema.shape)) {
    const faultsBefore = faults.length;
    const value = readOne(name, environment, faults);
    if (faults.length > faultsBefore) unread.add(name);
    if (value !== undefined && value !== '') given[name] = value;
  }
  const parsed = schema.safeParse(given);
  // What could not be read is named already.
  const issues = parsed.error?.issues.filter((issue) => !unread.has(issue.path[0])) ?? [];
  faults.push(...issues.map((issue) => describe(issue, given)), ...knownSecretFaults(given));
  if (faults.length > 0 || !parsed.success) {
    throw new SettingsError(`These settings cannot be used:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  }
  return parsed.data;
}

/** What `read` answers; bad settings end the process with their names on stderr (exit code 1). */
export function settingsOrExit<Settings>(read: () => Settings): Settings {
  try {
    return read();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}

/** A whole number within bounds, written in decimal. */
export const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= least && value <= most, `must be from ${least} to ${most}`);

/** `true` or `false`, in words. */
export const flag = z.enum(['true', 'false'], 'must be true or false').transform((value) => value === 'true');

/**
 * A setting that a parser of its own understands. What the parser throws becomes the fault, so its message must not
 * repeat a secret.
 */
export const parsedBy = <T>(parse: (text: string) => T) =>
  z.string().transform((text, context): T => {
    try {
      return parse(text);
    } catch (error) {
      context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : 'cannot be read' });
      return z.NEVER;
    }
  });

const postgresUrl = z.string().regex(/^postgres(ql)?:\/\//, 'must begin with postgres://');

/** The settings that every service has (docs/interface.md, Settings). */
export const commonSettings = {
  DATABASE_URL: postgresUrl,
  /** The tables' owner, at Postgres itself: `ownerDatabaseUrl` says which of the three counts. */
  DATABASE_OWNER_URL: postgresUrl.optional(),
  /** Postgres itself, where DATABASE_URL leads to a pooler and one role does everything. */
  DATABASE_DIRECT_URL: postgresUrl.optional(),
  REDIS_URL: z.string().regex(/^rediss?:\/\//, 'must begin with redis:// or rediss://'),
  /** What the queues' keys in Redis begin with, where several installs share one Redis. */
  QUEUE_PREFIX: z
    .string()
    .regex(/^[A-Za-z0-9_{}-]{1,64}$/, 'must be 1 to 64 of A-Z a-z 0-9 _ - { }')
    .default('posthorn'),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
  /** The address of this machine that every port is opened on; all of them when unset. */
  LISTEN_ADDRESS: z
    .string()
    .refine((text) => isIP(text) > 0, 'must be an IP address')
    .optional(),
  /** Where the outside reaches the API; `http://localhost:<PORT>` when unset. */
  BASE_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional(),
  /** 0 is any free port, here and in every other port setting. */
  METRICS_PORT: wholeNumber(0, 65_535).default(9_464),
  RETENTION_DAYS: wholeNumber(4, 90).default(7),
  ...tracingSettings,
};

/**
 * Where migrations, the drop of partitions and the trim of the audit log connect: as the tables' owner, and past a pooler
 * that lends a connection for one transaction, because they hold locks of a session.
 */
export function ownerDatabaseUrl(settings: {
  DATABASE_URL: string;
  DATABASE_OWNER_URL?: string | undefined;
  DATABASE_DIRECT_URL?: string | undefined;
}): string {
  return settings.DATABASE_OWNER_URL ?? settings.DATABASE_DIRECT_URL ?? settings.DATABASE_URL;
}

function readOne(name: string, environment: Record<string, string | undefined>, faults: string[]): string | undefined {
  const file = environment[`${name}_FILE`];
  if (file === undefined || file === '') return environment[name];
  if (environment[name]) {
    faults.push(`${name} and ${name}_FILE are both set: keep one`);
    return undefined;
  }
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch {
    faults.push(`${name}_FILE names a file that cannot be read`);
    return undefined;
  }
}

function describe(issue: z.core.$ZodIssue, given: Record<string, string>): string {
  const name = String(issue.path[0] ?? 'settings');
  return given[name] === undefined ? `${name} is required` : `${name} ${issue.message}`;
}
