import { randomBytes } from 'node:crypto';
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
import { NIL_UUID } from '@posthorn/db/uuid-range';
import { endCatchUp } from '@posthorn/ledger/catch-up';
import { areQueuesMixed, forgetRedis, openQueues } from '@posthorn/queue/open-queues';
import { createStoreClock, type StoreClock, systemClock } from '@posthorn/runtime/clock';
import { withDeadline } from '@posthorn/runtime/deadline';
import { describeError } from '@posthorn/runtime/describe-error';
import { commonSettings, ownerDatabaseUrl, readSettings } from '@posthorn/runtime/env';
import { parsedBy } from '@posthorn/runtime/parsed-setting';
import { z } from 'zod';
import { createSignInLink } from './account/oidc/sign-in-link.ts';
import { createResetToken, reinviteByOperator } from './account/recover-access.ts';
import { resetSecondFactor } from './account/second-factor/reset-second-factor.ts';
import { usage, usageOf } from './admin-usage.ts';
import { hashPassword } from './auth/password.ts';
import { resealEndpoints } from './endpoints/reseal.ts';
import { recordedErasure, recordedErasures, replayErasure } from './erasure/replay.ts';
import { foundWorkspace } from './workspaces/found-workspace.ts';
import { setQuotasByOperator } from './workspaces/set-quotas.ts';

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

const sealing = z.object({ SEALING_KEYS: parsedBy(parseSealingKeys) });
const queueSettings = sealing.extend({
  DATABASE_URL: commonSettings.DATABASE_URL,
  DATABASE_DIRECT_URL: commonSettings.DATABASE_DIRECT_URL,
  REDIS_URL: commonSettings.REDIS_URL,
  REDIS_CA: commonSettings.REDIS_CA,
  REDIS_SENTINEL_PASSWORD: commonSettings.REDIS_SENTINEL_PASSWORD,
  QUEUE_PREFIX: commonSettings.QUEUE_PREFIX,
  DELIVER_QUEUE_SHARDS: commonSettings.DELIVER_QUEUE_SHARDS,
});
const redisSettings = queueSettings
  .omit({ SEALING_KEYS: true, DATABASE_URL: true, DATABASE_DIRECT_URL: true })
  .extend({ REDIS_URL: commonSettings.REDIS_URL.unwrap() });
const ANSWERS_WITHIN_MS = 10_000;

const STDIN = 'password-stdin';
const value = { type: 'string' } as const;
const OPTIONS = {
  name: value,
  slug: value,
  email: value,
  plan: value,
  'events-per-day': value,
  'bytes-kept': value,
  'attempt-bytes-kept': value,
  [STDIN]: { type: 'boolean' },
} as const;

const newWorkspace = createWorkspaceBody.extend({ email: emailAddress, plan: plan.optional() });
const invited = newWorkspace.pick({ slug: true, email: true });
const account = newWorkspace.pick({ email: true });
/** A whole number; `none` is no limit, and `default` the setting's. */
const limit = z
  .string()
  .transform((given) =>
    given === 'default' ? null : given === 'none' ? 0 : given.trim() === '' ? Number.NaN : Number(given),
  )
  .refine(
    (given) => given === null || (Number.isSafeInteger(given) && given >= 0),
    'must be a whole number, none or default',
  )
  .optional();
const newQuotas = newWorkspace
  .pick({ slug: true })
  .extend({ 'events-per-day': limit, 'bytes-kept': limit, 'attempt-bytes-kept': limit });

/** A wrong command line. */
class UsageError extends Error {
  override name = 'UsageError';
}

type Command = (options: string[], terminal: Terminal) => Promise<string> | string;

const commands: Record<string, Command> = {
  async migrate(options, { environment }) {
    refuseOptions(options);
    const settings = readSettings(migrateSettings, environment);
    const databaseUrl = ownerDatabaseUrl(settings);
    const migrationsDirectory = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url));
    const applied = await migrate({ databaseUrl, migrationsDirectory, runtimeUrl: settings.DATABASE_URL });
    return JSON.stringify({ applied });
  },
  'create-workspace': createWorkspace,
  'list-workspaces': async (options, terminal) => {
    refuseOptions(options);
    let workspaces = 0;
    await withDb(terminal, async (db) => {
      for await (const workspace of everyWorkspace(db)) {
        workspaces += 1;
        terminal.write(`${JSON.stringify(workspace)}\n`);
      }
    });
    return JSON.stringify({ workspaces });
  },
  async reinvite(options, terminal) {
    const { slug, email } = checked(invited, readOptions(options, ['slug', 'email']));
    return withDb(terminal, async (db) => {
      return JSON.stringify(await reinviteByOperator(db, { slug, email, clock: await storeClock(db) }));
    });
  },
  async 'reset-password'(options, terminal) {
    const { email } = checked(account, readOptions(options, ['email']));
    return withDb(terminal, async (db) => JSON.stringify(await createResetToken(db, email, await storeClock(db))));
  },
  async 'sign-in-link'(options, terminal) {
    const { email } = checked(account, readOptions(options, ['email']));
    return withDb(terminal, async (db) => JSON.stringify(await createSignInLink(db, email, await storeClock(db))));
  },
  async 'reset-second-factor'(options, terminal) {
    const { email } = checked(account, readOptions(options, ['email']));
    return withDb(terminal, async (db) => JSON.stringify(await resetSecondFactor(db, email, await storeClock(db))));
  },
  async 'set-quotas'(options, terminal) {
    const given = checked(
      newQuotas,
      readOptions(options, ['slug', 'events-per-day', 'bytes-kept', 'attempt-bytes-kept']),
    );
    const limits = {
      eventsPerDay: given['events-per-day'],
      bytesKept: given['bytes-kept'],
      attemptBytesKept: given['attempt-bytes-kept'],
    };
    return withDb(terminal, async (db) =>
      JSON.stringify(await setQuotasByOperator(db, { slug: given.slug, limits, clock: await storeClock(db) })),
    );
  },
  'catch-up': catchUp,
  queue,
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
  async reseal(options, terminal) {
    refuseOptions(options);
    const { SEALING_KEYS } = readSettings(sealing, terminal.environment);
    return withDb(terminal, async (db) => JSON.stringify(await resealEndpoints(db, SEALING_KEYS)));
  },
  erasures,
  'verify-audit': verifyAudit,
};

/** The input and output of a command, so that it also runs inside another process. */
export type Terminal = {
  /** Undefined stands for the environment of this process. */
  environment: Record<string, string | undefined> | undefined;
  /** All of standard input. */
  readInput: () => Promise<string>;
  write: (text: string) => void;
  writeError: (text: string) => void;
};

/** Runs one command line and returns its exit code. Expected and unexpected faults are written, never thrown. */
export async function runAdmin([name = '', ...options]: readonly string[], terminal: Terminal): Promise<number> {
  try {
    terminal.write(await answer({ name, options, terminal }));
    return 0;
  } catch (error) {
    const message = describeError(error);
    const isUsage = error instanceof UsageError;
    terminal.writeError(
      isUsage
        ? `posthorn-admin: ${message}\n\n${(name === 'help' ? undefined : usageOf(name)) ?? usage()}`
        : `posthorn-admin ${name} failed: ${message}\n`,
    );
    return isUsage ? EXIT_USAGE : EXIT_FAILED;
  }
}

type CommandLine = { name: string; options: string[]; terminal: Terminal };

async function answer({ name, options, terminal }: CommandLine): Promise<string> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command !== undefined && !options.some(isHelp)) return `${await command(options, terminal)}\n`;
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

async function createWorkspace(given: string[], terminal: Terminal): Promise<string> {
  const { [STDIN]: withPassword, ...input } = readOptions(given, ['name', 'slug', 'email', 'plan', STDIN]);
  const { name, slug, email, plan: chosen } = checked(newWorkspace, input);
  const password =
    withPassword === true ? checked(z.object({ password: newPassword }), await firstLine(terminal)) : undefined;
  const { DEFAULT_PLAN } = readSettings(z.object({ DEFAULT_PLAN: plan.default('enterprise') }), terminal.environment);
  const passwordHash = password === undefined ? null : await hashPassword(password.password);
  const founding = { name, slug, email, plan: chosen ?? DEFAULT_PLAN, passwordHash };
  return withDb(terminal, async (db) => {
    return JSON.stringify(await foundWorkspace(db, { ...founding, clock: await storeClock(db) }));
  });
}

/** Sends deliveries at once that an outage has kept back and that are being sent at a pace. */
async function catchUp([what = '', ...options]: string[], terminal: Terminal): Promise<string> {
  refuseOptions(options);
  if (what !== 'end') throw new UsageError('catch-up needs end');
  return withDb(terminal, async (db) => JSON.stringify({ ended: await endCatchUp(db) }));
}

/** Shows the queues, pauses one for all dispatchers, or deletes their remains in a Redis that is no longer used. */
async function queue([what = '', ...names]: string[], { environment }: Terminal): Promise<string> {
  if (what === 'forget-redis' && names.length === 0) {
    const settings = readSettings(redisSettings, environment);
    const forgotten = await forgetRedis(settings);
    if (forgotten.kind === 'forgotten') return JSON.stringify({ prefix: settings.QUEUE_PREFIX, keys: forgotten.keys });
    throw new Error(
      'a process has used these keys within the last minute: stop every process that has REDIS_URL, and wait',
    );
  }
  const isStatus = what === 'status' && names.length === 0;
  const name = what === 'pause' || what === 'resume' ? names[0] : undefined;
  const isKnown = (name === 'fan-out' || name === 'deliver') && names.length === 1;
  if (!isStatus && !isKnown)
    throw new UsageError('queue needs status, forget-redis, or pause or resume with fan-out or deliver');
  const settings = readSettings(queueSettings, environment);
  const { DATABASE_URL: databaseUrl } = settings;
  const db = createDb({ databaseUrl, maxConnections: 1, unnamedStatements: true, onIdleError: () => {} });
  const queues = await openQueues(settings, {
    db,
    role: 'admin',
    monotonicMs: systemClock.monotonicMs,
    onError: () => {},
  });
  const producer = queues.openProducer();
  try {
    if (!(await withDeadline(new Promise<void>((resolve) => producer.onReachable(resolve)), ANSWERS_WITHIN_MS)))
      throw new Error('Redis does not answer');
    if (isKnown) await producer.setPaused(name, what === 'pause');
    const { fanOut, deliver } = await producer.depths();
    const isFanOutPaused = await producer.isPaused('fanOut');
    // The queue board, or a command that knows fewer shards, may have paused or resumed only some of them.
    const shards = Array.from({ length: queues.shards }, (_, shard) => producer.isPaused('deliver', shard));
    const isDeliverPaused = (await Promise.all([producer.isPaused('handOver'), ...shards])).includes(true);
    return JSON.stringify({
      queue: (await areQueuesMixed(db)) ? 'mixed' : queues.kind,
      'fan-out': { isPaused: isFanOutPaused, waiting: fanOut.waiting },
      deliver: { isPaused: isDeliverPaused, ...deliver },
    });
  } finally {
    await producer.close();
    await queues.close();
    await db.$disconnect();
  }
}

/** Lists what was erased, or erases it again after a backup was restored. */
async function erasures([what = '', ...options]: string[], terminal: Terminal): Promise<string> {
  refuseOptions(options);
  if (what === 'list') {
    let count = 0;
    await withDb(terminal, async (db) => {
      for await (const erasure of recordedErasures(db)) {
        count += 1;
        terminal.write(`${JSON.stringify(erasure)}\n`);
      }
    });
    return JSON.stringify({ erasures: count });
  }
  if (what !== 'replay') throw new UsageError('erasures needs list or replay');
  const lines = (await terminal.readInput()).split('\n').filter((line) => line.trim() !== '');
  // Without `-i`, Kubernetes passes no standard input: a replay of nothing would look like a replay of everything.
  if (lines.length === 0) throw new UsageError('erasures replay needs the lines of erasures list on standard input');
  const given = lines.slice(0, -1).map((line, index) => {
    const parsed = parseErasure(line);
    if (parsed === undefined) throw new UsageError(`line ${index + 1} is not an erasure`);
    return parsed;
  });
  const last = `{"erasures":${given.length}}`;
  if (lines.at(-1)?.trim() !== last) throw new UsageError(`the list is not whole: its last line must be ${last}`);
  const counts = { erased: 0, started: 0, nothing_left: 0 };
  await withDb(terminal, async (db) => {
    const clock = await storeClock(db);
    for (const erasure of given) counts[await replayErasure(db, erasure, clock)] += 1;
  });
  return JSON.stringify({ erased: counts.erased, started: counts.started, nothingLeft: counts.nothing_left });
}

function parseErasure(line: string) {
  try {
    return recordedErasure.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
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
async function verifyAudit(given: string[], terminal: Terminal): Promise<string> {
  refuseOptions(given);
  let workspaces = 0;
  let broken = 0;
  const named: string[] = [];
  await withDb(terminal, async (db) => {
    for await (const { workspaceId, head, anchor, erased, firstBreak } of verifyAuditChains(db)) {
      workspaces += 1;
      const id = toId('ws', workspaceId);
      const fault = firstBreak && describeBreak(firstBreak);
      const shown = head && { sequence: Number(head.sequence), hash: head.hash };
      const begins = anchor && { sequence: Number(anchor.sequence), hash: anchor.hash, at: anchor.at };
      const line = { workspaceId: id, head: shown, anchor: begins, erased, firstBreak: fault };
      terminal.write(`${JSON.stringify(line)}\n`);
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
    case 'oldest_missing':
      return `is broken at number ${found.sequence}: its oldest entries are missing before their retention of 365 days`;
    case 'newest_missing':
      return `is broken at number ${found.sequence}: its newest entries are missing`;
    case 'no_chain':
      return 'has no chain: its audit log is gone';
  }
}

async function withDb<Result>({ environment }: Terminal, work: (db: Db) => Promise<Result>): Promise<Result> {
  const { DATABASE_URL } = readSettings(z.object({ DATABASE_URL: commonSettings.DATABASE_URL }), environment);
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

async function firstLine({ readInput }: Terminal): Promise<{ password: string }> {
  return { password: (await readInput()).split(/\r?\n/)[0] ?? '' };
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

const PAGE = 500;
/** The ids and names of every workspace with its default environment, oldest first, read in pages. */
async function* everyWorkspace(db: Db) {
  let after = NIL_UUID;
  for (;;) {
    const page = await db.workspace.findMany({
      where: { id: { gt: after } },
      orderBy: { id: 'asc' },
      take: PAGE,
      select: {
        id: true,
        name: true,
        slug: true,
        plan: true,
        environments: { where: { isDefault: true, deletedAt: null }, select: { id: true } },
      },
    });
    for (const { id, environments, ...shown } of page) {
      const [environment] = environments;
      const environmentId = environment === undefined ? null : toId('env', environment.id);
      yield { workspaceId: toId('ws', id), environmentId, ...shown };
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last.id;
  }
}
