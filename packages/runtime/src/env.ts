import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { z } from 'zod';
import { knownSecretFaults } from './known-secrets.ts';
import { LOG_LEVELS } from './logger.ts';
import { checkedBy } from './parsed-setting.ts';
import { checkPostgresUrl } from './postgres-url.ts';
import { parseRedisUrl } from './redis-url.ts';
import { tracingSettings } from './start-tracing.ts';
import { checkWebUrl } from './web-url.ts';

/** Reports settings that cannot be used. The message lists all faults, each with the name of its setting. */
export class SettingsError extends Error {
  override name = 'SettingsError';
}

/**
 * Reads all settings of a process, once. A setting may come from a file: `NAME_FILE=/path` sets `NAME` to the file's
 * content without its last line break. An empty value counts as unset. Secrets that this project has published are
 * refused, unless `BASE_URL` is local or not among the settings. `faultsTogether` checks the given texts together; a
 * file that cannot be read counts as an empty text. Throws SettingsError, which never repeats a secret.
 */
export function readSettings<Schema extends z.ZodObject>(
  schema: Schema,
  environment: Record<string, string | undefined> = process.env,
  faultsTogether: (given: Readonly<Record<string, string>>) => string[] = () => [],
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
  // The fault of a file that cannot be read is already in the list.
  const issues = parsed.error?.issues.filter((issue) => !unread.has(issue.path[0])) ?? [];
  const together = { ...given };
  for (const name of unread) together[String(name)] = '';
  faults.push(...issues.map((issue) => describe(issue, given)), ...faultsTogether(together));
  faults.push(...knownSecretFaults(given));
  if (faults.length > 0 || !parsed.success) {
    throw new SettingsError(`These settings cannot be used:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  }
  return parsed.data;
}

/** Returns the result of `read`. Invalid settings end the process with a list on stderr (exit code 1). */
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
    .refine((value) => value >= least && value <= most, `must be from ${least} to ${most}`)
    .meta({ values: `${least} to ${most}` });

/** A setting that is the word `true` or `false`. */
export const flag = z
  .enum(['true', 'false'], 'must be true or false')
  .transform((value) => value === 'true')
  .meta({ values: 'true, false' });

/** The URL of a Postgres database. */
export const postgresUrl = checkedBy(checkPostgresUrl);

/**
 * The settings that every service has (docs/interface.md, Settings). docs/generate.mjs writes the descriptions and the
 * `values` of their metadata into docs/reference/settings.md.
 */
export const commonSettings = {
  DATABASE_URL: postgresUrl.describe(
    'Secret. PostgreSQL 14 or later, with the role of the services. It may lead to pgbouncer.',
  ),
  DATABASE_OWNER_URL: postgresUrl
    .optional()
    .describe(
      'Secret. The owner of the tables, connected directly to Postgres and never to a pooler: for migrations and for the dispatchers, which drop expired partitions and trim the audit log. Unset: `DATABASE_DIRECT_URL`, else `DATABASE_URL`.',
    ),
  DATABASE_DIRECT_URL: postgresUrl
    .optional()
    .describe(
      'Secret. Postgres itself, with the role of `DATABASE_URL`, where that leads to a pooler. Without Redis, messages between processes need it; the owner’s work uses it where `DATABASE_OWNER_URL` is unset.',
    ),
  DATABASE_PREPARED_STATEMENTS: flag
    .default(true)
    .describe(
      '`false`: unnamed statements only, for pgbouncer before 1.21 in transaction mode. Postgres then plans every statement anew.',
    ),
  REDIS_URL: checkedBy(parseRedisUrl)
    .optional()
    .describe(
      'Secret. Unset: Posthorn works with Postgres alone, and ignores the other settings of Redis. Otherwise Redis 6.2 or later, or Valkey, with `maxmemory-policy noeviction`: `redis://[user:password@]host:port`, `redis+sentinel://[user:password@]host:port,…/master` or `redis+cluster://[user:password@]host:port,…`. `rediss` instead of `redis` is TLS.',
    ),
  REDIS_CA: z
    .string()
    .regex(/-----BEGIN CERTIFICATE-----/, 'must be certificates in PEM')
    .optional()
    .describe(
      "The authorities of Redis' certificates, in PEM, usually as `REDIS_CA_FILE`. Unset: those that Node trusts.",
    ),
  REDIS_SENTINEL_PASSWORD: z
    .string()
    .optional()
    .describe('Secret. The password of the sentinels themselves, if they have one.'),
  DELIVER_QUEUE_SHARDS: wholeNumber(1, 64)
    .default(1)
    .describe(
      'Queues over which the deliveries are spread by endpoint. Give every process the same. More than one is useful with a Redis Cluster only.',
    ),
  QUEUE_PREFIX: z
    .string()
    .regex(/^[A-Za-z0-9_{}-]{1,64}$/, 'must be 1 to 64 of A-Z a-z 0-9 _ - { }')
    .default('posthorn')
    .describe("The prefix of the queues' keys in Redis, for installations that share one Redis."),
  LOG_LEVEL: z
    .enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`)
    .meta({ values: LOG_LEVELS.join(', ') })
    .default('info')
    .describe('The least severe lines that are logged.'),
  LISTEN_ADDRESS: z
    .string()
    .refine((text) => isIP(text) > 0, 'must be an IP address')
    .optional()
    .describe('The address of this machine on which every port is opened; all addresses when unset.'),
  BASE_URL: checkedBy((text) => checkWebUrl(text, { isBase: true, isShown: true }))
    .optional()
    .describe(
      'The public URL of the API; `http://localhost:<PORT>` when unset. Give every process the same: it decides whether published secrets are refused.',
    ),
  METRICS_PORT: wholeNumber(0, 65_535)
    .default(9_464)
    .describe('The port of `/metrics`; a dispatcher serves `/healthz` and `/readyz` there, too. 0 is any free port.'),
  RETENTION_DAYS: wholeNumber(4, 90)
    .default(7)
    .describe('Days that events, deliveries, attempts and payloads are kept.'),
  ...tracingSettings,
};

/**
 * The URL for migrations, for dropping partitions and for trimming the audit log. It connects as the owner of the
 * tables, and bypasses a transaction pooler, because this work holds session locks.
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
