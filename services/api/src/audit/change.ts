import { newUuid } from '@posthorn/contract/ids';
import type { Db, DbTransaction } from '@posthorn/db/client';
import { inTransaction } from '@posthorn/db/transaction';
import type { Clock } from '@posthorn/runtime/clock';
import type { ChangeTurns } from './change-turns.ts';

/** Who acts, as the audit log names them. */
export type Actor = {
  type: 'user' | 'management_token' | 'portal_session' | 'system';
  id: string;
  label: string;
};

/** Where a request came from, for the audit log. */
export type RequestOrigin = { ip: string | null; userAgent: string | null; requestId: string };

/** What is entered of a change beside who made it and when (docs/interface.md, Audit entry). */
export type AuditNote = {
  /** Given where the same entry must not be made twice: an id that is taken fails the transaction. */
  id?: string;
  /** The public id. */
  resourceId: string;
  /** Where it is not the action's first word. */
  resourceType?: string;
  changes?: Changes;
  /** Set on what the application's portal shows too. */
  applicationId?: string | null;
  /** Goes with it: the portal of this environment alone shows the entry. */
  environmentId?: string | null | undefined;
};

/** By field, what it was and what it is; secrets as `[redacted]`. */
export type Changes = Record<string, { from: unknown; to: unknown }>;

/** An operation's result, and the entry it leaves; null where nothing changed. */
export type Changed<Result> = { result: Result; entry: AuditNote | null };

/**
 * Runs `work` in a transaction and enters it in the audit log in the same one, as `<resource>.<past participle>`. A
 * no-op leaves no entry; a throw leaves nothing at all.
 */
export type Change = <Result>(
  action: string,
  work: (transaction: DbTransaction) => Promise<Changed<Result>>,
) => Promise<Result>;

export type ChangeBy = { workspaceId: string; actor: Actor; origin: RequestOrigin; clock: Pick<Clock, 'now'> };

export function createChange(db: Db, turns: ChangeTurns, by: ChangeBy): Change {
  return (action, work) =>
    turns(by.workspaceId, () =>
      inTransaction(db, async (transaction) => {
        const { result, entry } = await work(transaction);
        if (entry !== null) await writeEntry(transaction, by, action, entry);
        return result;
      }),
    );
}

/** Enters one audit row. For operations, through `ctx.change`; for what happens before there is a context, directly. */
export async function writeEntry(
  transaction: Pick<DbTransaction, 'auditEntry'>,
  by: ChangeBy,
  action: string,
  entry: AuditNote,
): Promise<void> {
  await transaction.auditEntry.create({ data: entryColumns(by, action, entry) });
}

/**
 * Enters the same in the log of every workspace that the person is a member of, in one statement: for changes of the
 * account itself.
 */
export async function writeEntriesOfUser(
  transaction: Pick<DbTransaction, 'auditEntry' | 'member'>,
  { userId, ...by }: Omit<ChangeBy, 'workspaceId'> & { userId: string },
  action: string,
  entry: AuditNote,
): Promise<void> {
  // In one order everywhere: each insert holds its workspace's chain until the transaction ends.
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
    visibility: applicationId === null ? ('workspace' as const) : ('portal' as const),
    action,
    resourceType: entry.resourceType ?? action.slice(0, action.indexOf('.')),
    resourceId: entry.resourceId,
    metadata: {
      changes: toJson(entry.changes ?? {}),
      ip: origin.ip,
      userAgent: origin.userAgent,
      requestId: origin.requestId,
    },
  };
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

/** Dates become text, and undefined fields go: what a JSON column takes. */
function toJson(changes: Changes) {
  return JSON.parse(JSON.stringify(changes));
}
