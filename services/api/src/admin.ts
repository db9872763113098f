import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { plan } from '@posthorn/contract/access';
import { emailAddress, newPassword } from '@posthorn/contract/accounts';
import { toId } from '@posthorn/contract/ids';
import { createWorkspaceBody } from '@posthorn/contract/workspaces';
import { parseSealingKeys } from '@posthorn/crypto/seal';
import { newToken } from '@posthorn/crypto/token';
import { type ChainBreak, verifyAuditChains } from '@posthorn/db/audit-chain';
import { createDb, type Db } from '@posthorn/db/client';
import { migrate } from '@posthorn/db/migrate';
import { readPostgresClock } from '@posthorn/db/postgres-clock';
import { createStoreClock, type StoreClock } from '@posthorn/runtime/clock';
import { commonSettings, ownerDatabaseUrl, parsedBy, readSettings } from '@posthorn/runtime/env';
import { z } from 'zod';
import { createResetToken, reinviteByOperator } from './account/recover-access.ts';
import { usage, usageOf } from './admin-usage.ts';
import { hashPassword } from './auth/password.ts';
import { resealEndpoints } from './endpoints/reseal.ts';
import { everyWorkspace } from './workspaces/every-workspace.ts';
import { foundWorkspace } from './workspaces/found-workspace.ts';

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
/** The most broken chains named in the message of `verify-audit`; standard output lists all. */
const BREAKS_NAMED = 20;

/** Read for the check against published secrets, so that an installation is refused before anything is created. */
const checkedSecret = z.string().optional();
const migrateSettings = z.object({
  DATABASE_URL: commonSettings.DATABASE_URL,
  DATABASE_OWNER_URL: commonSettings.DATABASE_OWNER_URL,
  DATABASE_DIRECT_URL: commonSettings.DATABASE_DIRECT_URL,
  BASE_URL: commonSettings.BASE_URL,
  REDIS_URL: checkedSecret,
  SEALING_KEYS: checkedSecret,
  CURSOR_KEYS: checkedSecret,
  BOOTSTRAP_PASSWORD: checkedSecret,
  ADMIN_PASSWORD: checkedSecret,
});

const STDIN = 'password-stdin';
const value = { type: 'string' } as const;
const OPTIONS = { name: value, slug: value, email: value, plan: value, [STDIN]: { type: 'boolean' } } as const;

const newWorkspace = createWorkspaceBody.extend({ email: emailAddress, plan: plan.optional() });
const invited = newWorkspace.pick({ slug: true, email: true });
const account = newWorkspace.pick({ email: true });

/** A wrong command line. */
class UsageError extends Error {
  override name = 'UsageError';
}

const commands: Record<string, (options: string[]) => Promise<string> | string> = {
  async migrate(options) {
    refuseOptions(options);
    const settings = readSettings(migrateSettings);
    const databaseUrl = ownerDatabaseUrl(settings);
    const migrationsDirectory = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url));
    const applied = await migrate({ databaseUrl, migrationsDirectory, runtimeUrl: settings.DATABASE_URL });
    return JSON.stringify({ applied });
  },
  'create-workspace': createWorkspace,
  'list-workspaces': async (options) => {
    refuseOptions(options);
    let workspaces = 0;
    await withDb(async (db) => {
      for await (const workspace of everyWorkspace(db)) {
        workspaces += 1;
        process.stdout.write(`${JSON.stringify(workspace)}\n`);
      }
    });
    return JSON.stringify({ workspaces });
  },
  async reinvite(options) {
    const { slug, email } = checked(invited, readOptions(options, ['slug', 'email']));
    return withDb(async (db) => {
      return JSON.stringify(await reinviteByOperator(db, { slug, email, clock: await storeClock(db) }));
    });
  },
  async 'reset-password'(options) {
    const { email } = checked(account, readOptions(options, ['email']));
    return withDb(async (db) => JSON.stringify(await createResetToken(db, email, await storeClock(db))));
  },
  'new-token': (options) => {
    refuseOptions(options);
    return newToken('management');
  },
  'new-api-key': (options) => {
    refuseOptions(options);
    return newToken('apiKey');
  },
  'new-key': (options) => {
    refuseOptions(options);
    return `k${randomBytes(3).toString('hex')}:${randomBytes(32).toString('base64')}`;
  },
  async reseal(options) {
    refuseOptions(options);
    const { SEALING_KEYS } = readSettings(z.object({ SEALING_KEYS: parsedBy(parseSealingKeys) }));
    return withDb(async (db) => JSON.stringify(await resealEndpoints(db, SEALING_KEYS)));
  },
  'verify-audit': verifyAudit,
};

const [name = '', ...options] = process.argv.slice(2);
try {
  process.stdout.write(await answer());
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  const isUsage = error instanceof UsageError;
  process.stderr.write(
    isUsage
      ? `posthorn-admin: ${message}\n\n${(name === 'help' ? undefined : usageOf(name)) ?? usage()}`
      : `posthorn-admin ${name} failed: ${message}\n`,
  );
  process.exitCode = isUsage ? EXIT_USAGE : EXIT_FAILED;
}

async function answer(): Promise<string> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command !== undefined && !options.some(isHelp)) return `${await command(options)}\n`;
  const [asked] = name === 'help' ? options : [name];
  if (name === '') throw new UsageError('no command is given');
  if (asked === undefined || isHelp(asked)) return usage();
  const help = usageOf(asked);
  if (help === undefined) throw new UsageError(`unknown command ${asked}`);
  return help;
}

function isHelp(option: string): boolean {
  return option === '--help' || option === '-h';
}

async function createWorkspace(given: string[]): Promise<string> {
  const { [STDIN]: withPassword, ...input } = readOptions(given, ['name', 'slug', 'email', 'plan', STDIN]);
  const { name, slug, email, plan: chosen } = checked(newWorkspace, input);
  const password = withPassword === true ? checked(z.object({ password: newPassword }), await firstLine()) : undefined;
  const { DEFAULT_PLAN } = readSettings(z.object({ DEFAULT_PLAN: plan.default('enterprise') }));
  const passwordHash = password === undefined ? null : await hashPassword(password.password);
  const founding = { name, slug, email, plan: chosen ?? DEFAULT_PLAN, passwordHash };
  return withDb(async (db) => {
    return JSON.stringify(await foundWorkspace(db, { ...founding, clock: await storeClock(db) }));
  });
}

/** Postgres' clock, which the services use too. */
async function storeClock(db: Db): Promise<StoreClock> {
  const clock = createStoreClock();
  clock.adopt(await readPostgresClock(db, clock.monotonicMs));
  return clock;
}

/**
 * Prints a line for each workspace as soon as its chain is verified, and at the end the number of each outcome. Fails
 * when a chain is broken or missing, so that a scheduled run is noticed.
 */
async function verifyAudit(given: string[]): Promise<string> {
  refuseOptions(given);
  let workspaces = 0;
  let broken = 0;
  const named: string[] = [];
  await withDb(async (db) => {
    for await (const { workspaceId, head, firstBreak } of verifyAuditChains(db)) {
      workspaces += 1;
      const id = toId('ws', workspaceId);
      const fault = firstBreak && describeBreak(firstBreak);
      const shown = head && { sequence: Number(head.sequence), hash: head.hash };
      process.stdout.write(`${JSON.stringify({ workspaceId: id, head: shown, firstBreak: fault })}\n`);
      if (fault === null) continue;
      broken += 1;
      if (named.length < BREAKS_NAMED) named.push(`${id} ${fault}`);
    }
  });
  if (broken === 0) return JSON.stringify({ workspaces, broken });
  throw new Error(`${broken} of ${workspaces} chains are broken: ${named.join('; ')}`);
}

function describeBreak(found: ChainBreak): string {
  switch (found.kind) {
    case 'entry':
      return `is broken at number ${found.sequence}: entry ${found.entryId}`;
    case 'newest_missing':
      return `is broken at number ${found.sequence}: its newest entries are missing`;
    case 'no_chain':
      return 'has no chain: its audit log is gone';
  }
}

async function withDb<Result>(work: (db: Db) => Promise<Result>): Promise<Result> {
  const { DATABASE_URL } = readSettings(z.object({ DATABASE_URL: commonSettings.DATABASE_URL }));
  const db = createDb({ databaseUrl: DATABASE_URL, maxConnections: 1, unnamedStatements: true, onIdleError: () => {} });
  try {
    return await work(db);
  } finally {
    await db.$disconnect();
  }
}

/** The options of a command, each with a value except the one for standard input; throws a UsageError for any other. */
function readOptions(given: string[], known: readonly (keyof typeof OPTIONS)[]) {
  try {
    const options = Object.fromEntries(known.map((option) => [option, OPTIONS[option]]));
    return parseArgs({ args: given, options }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

async function firstLine(): Promise<{ password: string }> {
  return { password: (await text(process.stdin)).split(/\r?\n/)[0] ?? '' };
}

/** The parsed values. Throws a UsageError that names the option and the rule and repeats no value. */
function checked<Schema extends z.ZodType>(schema: Schema, values: object): z.output<Schema> {
  const parsed = schema.safeParse(values);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const option = issue?.path.join('.') ?? '';
  const missing = option in values ? issue?.message : 'is required';
  throw new UsageError(`${option} ${missing}`);
}

function refuseOptions(given: string[]): void {
  if (given.length > 0) throw new UsageError(`unexpected ${given[0]}`);
}
