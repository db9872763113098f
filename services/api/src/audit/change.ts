import { fromId, newUuid } from '@posthorn/contract/ids';
import type { Db, DbTransaction } from '@posthorn/db/client';
import { inTransaction } from '@posthorn/db/transaction';
import type { Clock } from '@posthorn/runtime/clock';
import type { Claimant } from '@posthorn/runtime/gate';
import type { Limits } from '../limits.ts';
import { boundedChanges } from './bounded-changes.ts';
import { type ChangesPerDay, countChange, type Holder } from './changes-per-day.ts';

/** The actor of a change, as the audit log names it. */
export type Actor = {
  type: 'user' | 'management_token' | 'portal_session' | 'agent_key' | 'agent' | 'system';
  id: string;
  label: string;
};

/** The origin of a request, for the audit log. */
export type RequestOrigin = { ip: string | null; userAgent: string | null; requestId: string };

/** The content of an audit entry besides its actor and time (docs/interface.md, Audit entry). */
export type AuditNote = {
  /** Set when the same entry must not be written twice: an existing id fails the transaction. */
  id?: string;
  /** Set when the action is known only within the transaction. */
  action?: string;
  /** The public id. */
  resourceId: string;
  /** Default: the first word of the action. */
  resourceType?: string;
  changes?: Changes;
  /** How many changes it counts as in the limit of the day. Default: 1. */
  countsAs?: number;
  /** Set for entries about an application: its portal also shows them, and its erasure takes their personal values away. */
  applicationId?: string | null;
  /** Keeps an entry about an application out of its portal. */
  visibility?: 'workspace';
  /** Set together with `applicationId`: only the portal of this environment shows the entry. */
  environmentId?: string | null | undefined;
};

/** By field, the old and the new value; secrets as `[redacted]`. */
export type Changes = Record<string, { from: unknown; to: unknown }>;

/**
 * The result of a change and its audit entry; null when nothing changed. The operation answers the result, or what
 * `readAnswer` reads if it is set.
 */
export type Changed<Result> = { result: Result; entry: AuditNote | null; readAnswer?: () => Promise<unknown> };

/**
 * Runs `work` in a transaction and writes its audit entry in the same one; the action is `<resource>.<past
 * participle>`. A no-op leaves no entry. An error rolls everything back.
 */
export type Change = <Result>(
  action: string,
  work: (transaction: DbTransaction) => Promise<Changed<Result>>,
) => Promise<Result>;

export type ChangeBy = { workspaceId: string; actor: Actor; origin: RequestOrigin; clock: Clock };

/**
 * Keeps the answer of a request in the transaction of its first change; `begin` comes before every other statement. The
 * erasure of an application that the change was about deletes the answer.
 */
export type AnswerKeeper = {
  begin: (transaction: DbTransaction) => Promise<void>;
  keep: (transaction: DbTransaction, answer: unknown, applicationIds: readonly string[]) => Promise<void>;
};

/** The holder whose changes of the day are counted, and the limits. */
export type CountedBy = { holder: Holder; limits: ChangesPerDay };

/** The creation of portal sessions is exempt: an operator makes one for each visit of a customer. */
const EXEMPT = 'portal_session.created';

/**
 * Runs several operations as one change: `change` runs each in the transaction, with an audit entry of its own. An error
 * rolls everything back, and so does `keep: false`, which writes no entries: a dry run.
 */
export type ChangeTogether = <Result>(
  keep: boolean,
  work: (transaction: DbTransaction, change: Change) => Promise<Result>,
) => Promise<Result>;

/** Each operation has some ten statements, and there may be a thousand operations. */
const TOGETHER = { timeoutMs: 60_000 };

/** Thrown to roll back a transaction that is not to be kept. */
class NotKept extends Error {
  override name = 'NotKept';
  readonly result: unknown;

  constructor(result: unknown) {
    super('The transaction is not kept');
    this.result = result;
  }
}

/**
 * The ways to write. Each change waits for its turn at `changes`; a dry run waits for `plans` before that. With `first`, the
 * first change of the request also keeps the answer, in the same transaction.
 */
export function createChanges(
  db: Db,
  { changes, plans }: Pick<Limits, 'changes' | 'plans'>,
  by: ChangeBy & { claimant: Claimant; countedBy: CountedBy },
  first?: AnswerKeeper,
): { change: Change; changeTogether: ChangeTogether } {
  let mayBegin = first !== undefined;
  const applicationIds = new Set<string>();
  const inTurn = async <Result>(
    work: (transaction: DbTransaction) => Promise<Omit<Changed<Result>, 'entry'>>,
    limits: { timeoutMs?: number } = {},
  ) => {
    const keeps = mayBegin ? first : undefined;
    const result = await changes.run(by.claimant, () =>
      inTransaction(
        db,
        async (transaction) => {
          applicationIds.clear();
          await keeps?.begin(transaction);
          const { result, readAnswer } = await work(transaction);
          if (keeps !== undefined) {
            const answer = readAnswer === undefined ? result : await readAnswer();
            await keeps.keep(transaction, answer, [...applicationIds]);
          }
          return result;
        },
        limits,
      ),
    );
    mayBegin = false;
    return result;
  };
  const write = async (transaction: DbTransaction, action: string, entry: AuditNote) => {
    const applicationId = entry.applicationId ?? fromId('app', entry.resourceId);
    if (applicationId !== undefined) applicationIds.add(applicationId);
    await writeEntry(transaction, by, entry.action ?? action, entry);
    if (action !== EXEMPT)
      await countChange(transaction, { ...by.countedBy, now: by.clock.now(), countsAs: entry.countsAs });
  };
  return {
    change: (action, work) =>
      inTurn(async (transaction) => {
        const changed = await work(transaction);
        if (changed.entry !== null) await write(transaction, action, changed.entry);
        return changed;
      }),
    async changeTogether<Result>(
      keep: boolean,
      work: (transaction: DbTransaction, change: Change) => Promise<Result>,
    ): Promise<Result> {
      const run = () =>
        inTurn(async (transaction) => {
          const result = await work(transaction, async (action, one) => {
            const changed = await one(transaction);
            if (keep && changed.entry !== null) await write(transaction, action, changed.entry);
            return changed.result;
          });
          if (!keep) throw new NotKept(result);
          return { result };
        }, TOGETHER);
      try {
        return await (keep ? run() : plans.run(by.claimant, run));
      } catch (error) {
        // The result is what `work` returned.
        if (error instanceof NotKept) return error.result as Result;
        throw error;
      }
    },
  };
}

/** Writes one audit entry. Operations use `ctx.change`; code without a context calls this directly. */
export async function writeEntry(
  transaction: Pick<DbTransaction, 'auditEntry'>,
  by: ChangeBy,
  action: string,
  entry: AuditNote,
): Promise<void> {
  await transaction.auditEntry.create({ data: entryColumns(by, action, entry) });
}

/**
 * Writes the same entry to the log of every workspace that the person is a member of, in one statement: for changes of
 * the account.
 */
export async function writeEntriesOfUser(
  transaction: Pick<DbTransaction, 'auditEntry' | 'member'>,
  { userId, ...by }: Omit<ChangeBy, 'workspaceId'> & { userId: string },
  action: string,
  entry: AuditNote,
): Promise<void> {
  // The same order everywhere: each insert locks its workspace's chain until the transaction ends.
  const orderBy = { workspaceId: 'asc' } as const;
  const members = await transaction.member.findMany({ where: { userId }, select: { workspaceId: true }, orderBy });
  await transaction.auditEntry.createMany({
    data: members.map(({ workspaceId }) => entryColumns({ workspaceId, ...by }, action, entry)),
  });
}

function entryColumns({ workspaceId, actor, origin, clock }: ChangeBy, action: string, entry: AuditNote) {
  const applicationId = entry.applicationId ?? null;
  return {
    id: entry.id ?? newUuid(clock.now()),
    workspaceId,
    applicationId,
    environmentId: applicationId === null ? null : (entry.environmentId ?? null),
    actorType: actor.type,
    actorId: actor.id,
    actorLabel: actor.label,
    visibility: entry.visibility ?? (applicationId === null ? ('workspace' as const) : ('portal' as const)),
    action,
    resourceType: entry.resourceType ?? action.slice(0, action.indexOf('.')),
    resourceId: entry.resourceId,
    metadata: {
      changes: toJson(boundedChanges(entry.changes ?? {})),
      ip: origin.ip,
      userAgent: origin.userAgent,
      requestId: origin.requestId,
    },
  };
}

/** The number of parts of a cascade that are too many to be named. Empty if the number stays the same. */
export function countsOf(field: string, { from, to = 0 }: { from: number; to?: number }): Changes {
  return from === to ? {} : { [field]: { from, to } };
}

/** The fields of `after` that differ from `before`, for an update's entry. */
export function diff<Fields extends object>(before: Fields, after: Fields): Changes {
  const changes: Changes = {};
  for (const [field, to] of Object.entries(after)) {
    const from = Reflect.get(before, field);
    if (JSON.stringify(from) !== JSON.stringify(to)) changes[field] = { from: from ?? null, to };
  }
  return changes;
}

/** Converts dates to text and drops undefined fields, as a JSON column requires. */
function toJson(changes: Changes) {
  return JSON.parse(JSON.stringify(changes));
}
