import { randomUUID } from 'node:crypto';
import { newUuid, toId } from '@posthorn/contract/ids';
import type { Db, DbTransaction } from '@posthorn/db/client';
import { inTransaction, retryConflicts } from '@posthorn/db/transaction';
import { faultCode } from '@posthorn/db/violations';
import { endOperation } from '@posthorn/ledger/end-operation';
import type { OperationScope } from '@posthorn/ledger/operation-scope';

/** An operation that this process may move on until its turn ends. */
export type Turn = {
  operationId: string;
  workspaceId: string;
  type: 'recovery' | 'retry' | 'cancel' | 'erasure' | 'search_index';
  scope: OperationScope;
  /** Fences the turn: once another process has taken the operation, this turn commits nothing. */
  token: string;
};

/** The operation, locked until the transaction ends. */
export type LockedOperation = {
  status: 'counting' | 'running' | 'completed' | 'cancelled' | 'failed';
  unended: number;
  isPaused: boolean;
};

/** How long an operation waits after the death of its process. A turn takes about a second. */
const TURN_SECONDS = 10;
const AT_ONCE = 10;
const OF_OWNER_AT_ONCE = 2;

/** A turn whose scope has not been parsed. */
export type TakenTurn = Omit<Turn, 'scope'> & { scope: unknown };

/**
 * Takes turns for up to ten operations, at most two for each owner of workspaces. A workspace offers two: of its own
 * operations, and of its portals' operations, the one that has waited longest. The second turn of an owner comes after
 * the first turns of all owners. So however many operations an owner has, they delay another owner by two turns in each
 * round. However many operations the portals have, they delay their workspace by one turn.
 */
export async function takeTurns(db: Db): Promise<TakenTurn[]> {
  const token = randomUUID();
  const rows = await retryConflicts(
    () => db.$queryRaw<Omit<TakenTurn, 'token'>[]>`
      with first as (
        select distinct on (workspace_id, portal_application_id is null) id, workspace_id, next_turn_at as since
        from operation where next_turn_at <= now()
        order by workspace_id, portal_application_id is null, next_turn_at
      ), in_turn as (
        select f.id, f.since, row_number() over (partition by coalesce(w.created_by, w.id) order by f.since) as place
        from first f join workspace w on w.id = f.workspace_id
      ), due as (
        select o.id, t.place, t.since from in_turn t join operation o on o.id = t.id and o.next_turn_at <= now()
        where t.place <= ${OF_OWNER_AT_ONCE}::int
        order by t.place, t.since limit ${AT_ONCE}::int for update of o skip locked
      ), taken as (
        update operation o set next_turn_at = now() + make_interval(secs => ${TURN_SECONDS}::int),
          turn_token = ${token}::uuid
        from due where o.id = due.id returning o.*, due.place, due.since
      )
      select id as "operationId", workspace_id as "workspaceId", type, scope from taken order by place, since`,
  );
  return rows.map((row) => ({ ...row, token }));
}

/** Runs `work` while the operation is locked. Undefined if another process has taken the operation. */
export function inTurn<Result>(
  db: Db,
  { operationId, token }: Pick<Turn, 'operationId' | 'token'>,
  work: (transaction: DbTransaction, operation: LockedOperation) => Promise<Result>,
): Promise<Result | undefined> {
  return inTransaction(db, async (transaction) => {
    const [operation] = await transaction.$queryRaw<LockedOperation[]>`
      select status, unended, paused_at is not null as "isPaused" from operation where id = ${operationId}::uuid and turn_token = ${token}::uuid for update`;
    return operation === undefined ? undefined : work(transaction, operation);
  });
}

/** The pause between the turns of an operation that has deliveries to count or to move. */
export const TURN_PAUSE_MS = 250;
/** The pause while nothing is left to move and the operation waits, perhaps for days, for its deliveries to end. */
const WAITING_PAUSE_MS = 1_000;
/**
 * The pause between the turns of an erasure or an indexing that has more to do. It writes as much as Postgres takes.
 * Without a pause, it tripled the p99 of another tenant's new events (`npm run bench -- --only erasure`).
 */
const ERASURE_PAUSE_MS = 350;
/** The longer ago an operation ended, the less often it is counted, because a workspace may have any number of them. */
const PART_SINCE_END = 0.1;

/** Whether the operation has much to write, and nobody waits for parts of it. */
export function writesMuch({ type }: Pick<Turn, 'type'>): boolean {
  return type === 'erasure' || type === 'search_index';
}

/** The limits that ended a turn, if any: its time, or the number of endpoints. */
export type TurnBounds = { timeIsOver: boolean; endpointsAreFull: boolean; now: Date };

/** Sets the operation's status to what its parts have reached, and the time of its next turn. */
export async function endTurn(db: Db, turn: Turn, { timeIsOver, endpointsAreFull, now }: TurnBounds): Promise<void> {
  const { operationId } = turn;
  await inTurn(db, turn, async (transaction, { status, unended, isPaused }) => {
    if (status === 'counting') await endCounting(transaction, operationId);
    const walks = await transaction.operationPart.count({ where: { operationId, phase: { not: 'done' } } });
    if (status === 'running' && walks === 0 && unended === 0) {
      await endOperation(transaction, { operationId, status: 'completed' });
      if (turn.type === 'erasure') await enterErasure(transaction, turn, now);
    }
    const isWalking = walks > 0 && !isPaused && (status === 'counting' || status === 'running');
    // While an operation walks, its endpoints may include some that only wait for room. Otherwise all of them have
    // something to count.
    const hasMore = timeIsOver || (endpointsAreFull && !isWalking);
    const pauseMs = isWalking ? TURN_PAUSE_MS : WAITING_PAUSE_MS;
    const soonMs = writesMuch(turn) ? ERASURE_PAUSE_MS : 0;
    await transaction.$executeRaw`
      update operation set fault = null, fault_turns = 0, next_turn_at = case
        when (finished_at is not null or paused_at is not null) and unended = 0 then null
        when ${hasMore}::boolean then now() + make_interval(secs => ${soonMs / 1_000}::float8)
        else now() + greatest(make_interval(secs => ${pauseMs / 1_000}::float8),
          (now() - finished_at) * ${PART_SINCE_END}::float8) end
      where id = ${operationId}::uuid`;
  });
}

/** The number of turns in a row that may fail in the same way. Each is `TURN_SECONDS` after the last. */
const MOST_FAULTS = 5;

/** Notes that a turn failed. An operation whose turns fail repeatedly in the same way ends as `failed`. */
export async function noteFault(db: Db, turn: Pick<Turn, 'operationId' | 'token'>, error: unknown): Promise<void> {
  const { operationId } = turn;
  const fault = faultCode(error);
  await inTurn(db, turn, async (transaction) => {
    const [row] = await transaction.$queryRaw<{ turns: number }[]>`
      update operation set fault = ${fault}::text,
        fault_turns = case when fault = ${fault}::text then fault_turns + 1 else 1 end
      where id = ${operationId}::uuid returning fault_turns as turns`;
    if (row === undefined || row.turns < MOST_FAULTS) return;
    const reason = `An internal fault (${fault}) stopped it ${row.turns} times in a row. The log of the dispatchers has the fault`;
    await endOperation(transaction, { operationId, status: 'failed', error: reason });
  });
}

async function endCounting(transaction: DbTransaction, operationId: string): Promise<void> {
  const phase = { in: ['count_deliveries' as const, 'count_events' as const] };
  if ((await transaction.operationPart.count({ where: { operationId, phase } })) > 0) return;
  await transaction.$executeRaw`
    update operation set status = 'running', is_counted = true, updated_at = now()
    where id = ${operationId}::uuid and status = 'counting'`;
}

/** Writes the audit entry of an ended erasure, with the request and the number of its events. */
async function enterErasure(transaction: DbTransaction, { operationId, workspaceId, scope }: Turn, now: Date) {
  const { filter, enqueued } = await transaction.operation.findUniqueOrThrow({ where: { id: operationId } });
  await transaction.auditEntry.create({
    data: {
      id: newUuid(now),
      workspaceId,
      actorType: 'system',
      actorId: 'dispatcher',
      actorLabel: 'Posthorn',
      action: 'application.erased',
      resourceType: 'application',
      resourceId: toId('app', scope.applicationId ?? ''),
      metadata: {
        changes: { filter: { from: null, to: filter }, events: { from: enqueued, to: 0 } },
        ip: null,
        userAgent: null,
        requestId: null,
      },
    },
  });
}
