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
import { findBrokenAuditChains } from '@posthorn/db/audit-chain';
import { createDb, type Db } from '@posthorn/db/client';
import { migrate } from '@posthorn/db/migrate';
import { systemClock } from '@posthorn/runtime/clock';
import { commonSettings, parsedBy, readSettings } from '@posthorn/runtime/env';
import { z } from 'zod';
import { createResetToken, reinviteByOperator } from './account/recover-access.ts';
import { hashPassword } from './auth/password.ts';
import { resealEndpoints } from './endpoints/reseal.ts';
import { foundWorkspace } from './workspaces/found-workspace.ts';

const USAGE = `usage: posthorn-admin <command>

  migrate        apply the migrations that are missing, and make the daily partitions (DATABASE_DIRECT_URL
                 or DATABASE_URL)
  create-workspace --name NAME --slug SLUG --email EMAIL [--plan free|pro|enterprise] [--password-stdin]
                 make a workspace with its owner, a management token and an API key, and print them as JSON
                 (DATABASE_URL, DEFAULT_PLAN). The owner's password is the first line of standard input with
                 --password-stdin, for an email without an account; otherwise the owner is invited, and accepts
                 with the setPasswordToken that is printed, good once, for 7 days
  reinvite --slug SLUG --email EMAIL
                 print a new setPasswordToken for an invitation to that workspace (DATABASE_URL)
  reset-password --email EMAIL
                 print a setPasswordToken that sets the account's password, good once, for a day; its use ends
                 every session and voids every other such token of the person (DATABASE_URL)
  new-token      print a new management token, for BOOTSTRAP_MANAGEMENT_TOKEN
  new-api-key    print a new API key, for BOOTSTRAP_API_KEY
  new-key        print a new key, for SEALING_KEYS or CURSOR_KEYS
  reseal         seal secrets and passwords that an older key sealed with the first of SEALING_KEYS (DATABASE_URL)
  verify-audit   recompute the audit log's hash chains, and name the first broken entry of each workspace (DATABASE_URL)

It exits with 0 when it is done, 1 when it failed, 2 when it was called wrongly.
`;

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

const STDIN = 'password-stdin';
const value = { type: 'string' } as const;
const OPTIONS = { name: value, slug: value, email: value, plan: value, [STDIN]: { type: 'boolean' } } as const;

const newWorkspace = createWorkspaceBody.extend({ email: emailAddress, plan: plan.optional() });
const invited = newWorkspace.pick({ slug: true, email: true });
const account = newWorkspace.pick({ email: true });

/** Called wrongly. */
class UsageError extends Error {
  override name = 'UsageError';
}

const commands: Record<string, (options: string[]) => Promise<string> | string> = {
  async migrate(options) {
    refuseOptions(options);
    const { DATABASE_URL, DATABASE_DIRECT_URL } = commonSettings;
    const settings = readSettings(z.object({ DATABASE_URL, DATABASE_DIRECT_URL }));
    const databaseUrl = settings.DATABASE_DIRECT_URL ?? settings.DATABASE_URL;
    const migrationsDirectory = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url));
    return JSON.stringify({ applied: await migrate({ databaseUrl, migrationsDirectory }) });
  },
  'create-workspace': createWorkspace,
  async reinvite(options) {
    const { slug, email } = checked(invited, readOptions(options, ['slug', 'email']));
    const now = systemClock.now();
    return withDb(async (db) => JSON.stringify(await reinviteByOperator(db, { slug, email, now })));
  },
  async 'reset-password'(options) {
    const { email } = checked(account, readOptions(options, ['email']));
    return withDb(async (db) => JSON.stringify(await createResetToken(db, email, systemClock.now())));
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
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) throw new UsageError(name === '' ? 'no command' : `unknown command ${name}`);
  process.stdout.write(`${await command(options)}\n`);
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  const isUsage = error instanceof UsageError;
  process.stderr.write(
    isUsage ? `posthorn-admin: ${message}\n\n${USAGE}` : `posthorn-admin ${name} failed: ${message}\n`,
  );
  process.exitCode = isUsage ? EXIT_USAGE : EXIT_FAILED;
}

async function createWorkspace(given: string[]): Promise<string> {
  const { [STDIN]: withPassword, ...input } = readOptions(given, ['name', 'slug', 'email', 'plan', STDIN]);
  const { name, slug, email, plan: chosen } = checked(newWorkspace, input);
  const password = withPassword === true ? checked(z.object({ password: newPassword }), await firstLine()) : undefined;
  const { DEFAULT_PLAN } = readSettings(z.object({ DEFAULT_PLAN: plan.default('enterprise') }));
  const passwordHash = password === undefined ? null : await hashPassword(password.password);
  const founding = { name, slug, email, plan: chosen ?? DEFAULT_PLAN, passwordHash, now: systemClock.now() };
  return withDb(async (db) => JSON.stringify(await foundWorkspace(db, founding)));
}

/** Fails when a chain is broken, so that a scheduled run is noticed. */
async function verifyAudit(given: string[]): Promise<string> {
  refuseOptions(given);
  const broken = await withDb(findBrokenAuditChains);
  if (broken.length === 0) return JSON.stringify({ broken: [] });
  const places = broken.map(({ workspaceId, sequence, entryId }) => {
    const entry = entryId === null ? 'its last entries are missing' : `entry ${entryId}`;
    return `${toId('ws', workspaceId)} is broken at number ${sequence}: ${entry}`;
  });
  throw new Error(places.join('; '));
}

async function withDb<Result>(work: (db: Db) => Promise<Result>): Promise<Result> {
  const { DATABASE_URL } = readSettings(z.object({ DATABASE_URL: commonSettings.DATABASE_URL }));
  const db = createDb({ databaseUrl: DATABASE_URL, maxConnections: 1, onIdleError: () => {} });
  try {
    return await work(db);
  } finally {
    await db.$disconnect();
  }
}

/** The options of a command, each with a value but the one for standard input; a UsageError for any other. */
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

/** The values, or a UsageError that names the option and the rule; it repeats no value. */
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
