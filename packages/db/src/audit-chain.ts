import type pg from 'pg';
import type { Db } from './client.ts';
import { NIL_UUID } from './uuid-range.ts';

/** The first break in a workspace's chain. */
export type ChainBreak =
  /** This entry, or an entry before it, is not as it was written. */
  | { kind: 'entry'; sequence: bigint; entryId: string }
  /** The chain's newest entries, up to this sequence, are missing or altered. */
  | { kind: 'newest_missing'; sequence: bigint }
  /** The workspace, or its entries, have no chain. Every workspace has one from its first entry. */
  | { kind: 'no_chain' };

/** The result of verifying one workspace's chain. `head` is null when there is no chain. */
export type VerifiedChain = {
  workspaceId: string;
  head: { sequence: bigint; hash: string } | null;
  firstBreak: ChainBreak | null;
};

/**
 * Recomputes the audit chain of every workspace from its anchor. It holds one page of a chain at a time, so a log of
 * any length can be verified, also while entries are written and trimmed. It finds entries that were altered, removed
 * or inserted, and chains that were deleted. It cannot detect that someone with write access to the database rewrote a
 * whole chain: for that, compare `head` with copies kept elsewhere.
 */
export async function* verifyAuditChains(db: Db): AsyncGenerator<VerifiedChain> {
  for (let after = NIL_UUID; ; ) {
    const workspaceIds = await readWorkspaceIds(db, after);
    for (const workspaceId of workspaceIds) yield await verifyChain(db, workspaceId);
    const last = workspaceIds.at(-1);
    if (last === undefined) return;
    after = last;
  }
}

const WORKSPACES_IN_A_PAGE = 1_000;
const ENTRIES_IN_A_PAGE = 2_000;

/** Ids of all workspaces that exist, have a chain, or have entries: any of the three may have been removed. */
async function readWorkspaceIds(db: Db, after: string): Promise<string[]> {
  // `of_entries` steps through the index from workspace to workspace and does not read the entries in between.
  const rows = await db.$queryRaw<{ id: string }[]>`
    with recursive of_entries as (
      (select workspace_id as id from audit_entry where workspace_id > ${after}::uuid order by workspace_id limit 1)
      union all
      select (select e.workspace_id from audit_entry e where e.workspace_id > o.id order by e.workspace_id limit 1)
      from of_entries o where o.id is not null
    )
    select id from (
      (select id from workspace where id > ${after}::uuid order by id limit ${WORKSPACES_IN_A_PAGE}::int)
      union
      (select workspace_id from audit_chain where workspace_id > ${after}::uuid
        order by workspace_id limit ${WORKSPACES_IN_A_PAGE}::int)
      union
      (select id from of_entries limit ${WORKSPACES_IN_A_PAGE}::int)
    ) as known where id is not null order by id limit ${WORKSPACES_IN_A_PAGE}::int`;
  return rows.map((row) => row.id);
}

async function verifyChain(db: Db, workspaceId: string): Promise<VerifiedChain> {
  const genesis = { sequence: 0n, hash: '' };
  for (let verified = genesis; ; ) {
    const page = await readPage(db, workspaceId, verified);
    if (page === undefined || page.headSequence === 0n) {
      return { workspaceId, head: null, firstBreak: { kind: 'no_chain' } };
    }
    const head = { sequence: page.headSequence, hash: page.headHash };
    if (page.brokenSequence !== null && page.brokenId !== null) {
      const firstBreak = { kind: 'entry', sequence: page.brokenSequence, entryId: page.brokenId } as const;
      return { workspaceId, head, firstBreak };
    }
    verified = { sequence: page.lastSequence, hash: page.lastHash };
    if (page.entries === ENTRIES_IN_A_PAGE) continue;
    const isWhole = verified.sequence === head.sequence && verified.hash === head.hash;
    return { workspaceId, head, firstBreak: isWhole ? null : { kind: 'newest_missing', sequence: head.sequence } };
  }
}

type Page = {
  headSequence: bigint;
  headHash: string;
  entries: number;
  /** The last entry of the page, or the entry before the page when the page is empty. */
  lastSequence: bigint;
  lastHash: string;
  brokenSequence: bigint | null;
  brokenId: string | null;
};

/**
 * Recomputes the entries after `verified`, or after the anchor when a trim has moved the anchor further. One statement
 * reads the page, the anchor and the head, so that they are consistent.
 */
async function readPage(
  db: Db,
  workspaceId: string,
  verified: { sequence: bigint; hash: string },
): Promise<Page | undefined> {
  // The trigger's expression is repeated here: a function in the database might have been replaced.
  const [page] = await db.$queryRaw<Page[]>`
    with chain as (
      select sequence, hash, anchor_sequence,
        greatest(anchor_sequence, ${verified.sequence}::bigint) as from_sequence,
        case when anchor_sequence >= ${verified.sequence}::bigint then anchor_hash
          else decode(${verified.hash}, 'hex') end as from_hash
      from audit_chain where workspace_id = ${workspaceId}::uuid
    ), chained as (
      select e.sequence, e.id, e.hash,
        lag(e.sequence, 1, c.from_sequence) over entries as previous_sequence,
        sha256(lag(e.hash, 1, c.from_hash) over entries || convert_to(json_build_array(
          e.sequence, e.id, e.workspace_id, e.application_id, e.actor_type, e.actor_id, e.actor_label, e.visibility,
          e.action, e.resource_type, e.resource_id, e.metadata::text, extract(epoch from e.created_at))::text
          || coalesce(e.environment_id::text, ''), 'UTF8')
        ) as expected
      from chain c cross join lateral (
        select * from audit_entry where workspace_id = ${workspaceId}::uuid and sequence > c.from_sequence
        order by sequence limit ${ENTRIES_IN_A_PAGE}::int
      ) e window entries as (order by e.sequence)
    ), broken as (
      (select oldest.sequence, oldest.id from chain c cross join lateral (
          select sequence, id from audit_entry where workspace_id = ${workspaceId}::uuid order by sequence limit 1
        ) oldest where oldest.sequence <= c.anchor_sequence)
      union all
      (select sequence, id from chained
        where hash is distinct from expected or sequence is distinct from previous_sequence + 1
        order by sequence limit 1)
      order by sequence limit 1
    ), last as (select sequence, hash from chained order by sequence desc limit 1)
    select c.sequence as "headSequence", encode(c.hash, 'hex') as "headHash",
      (select count(*) from chained)::int as entries,
      coalesce(last.sequence, c.from_sequence) as "lastSequence",
      encode(coalesce(last.hash, c.from_hash), 'hex') as "lastHash",
      broken.sequence as "brokenSequence", broken.id as "brokenId"
    from chain c left join last on true left join broken on true`;
  return page;
}

type Connection = Pick<pg.Client, 'query'>;

/**
 * Deletes the oldest entries of each chain, those older than 365 days, and keeps the last deleted hash as the anchor,
 * so that the remaining entries can still be verified. Returns the number of deleted entries. Only one caller at a time
 * trims; a concurrent caller deletes nothing. A chain that stays locked by changes for longer than 5 s is left to the
 * next round. `connection` must belong to the owner of the tables and must not come from a transaction pooler.
 */
export async function trimAuditLog(connection: Connection, stopped?: AbortSignal): Promise<number> {
  const { rows } = await connection.query<{ locked: boolean }>('select pg_try_advisory_lock(7061727472) as locked');
  if (rows[0]?.locked !== true) return 0;
  try {
    let trimmed = 0;
    for await (const workspaceId of findExpiredChains(connection, stopped)) {
      for (let deleted = BATCH; deleted === BATCH; trimmed += deleted) {
        if (stopped?.aborted) return trimmed;
        deleted = await trimBatch(connection, workspaceId);
      }
    }
    return trimmed;
  } finally {
    await connection.query('select pg_advisory_unlock(7061727472)');
  }
}

/** A change in the same workspace waits for one batch: about 20 ms. */
const BATCH = 1_000;
const LOCK_NOT_AVAILABLE = '55P03';

/** The workspaces whose oldest entry has expired, in pages until it is stopped. */
async function* findExpiredChains(connection: Connection, stopped?: AbortSignal): AsyncGenerator<string> {
  for (let after = NIL_UUID; !stopped?.aborted; ) {
    const { rows } = await connection.query<{ id: string; expired: boolean }>(
      `select c.workspace_id as id, coalesce(e.created_at < now() - interval '365 days', false) as expired
       from audit_chain c
       left join audit_entry e on e.workspace_id = c.workspace_id and e.sequence = c.anchor_sequence + 1
       where c.workspace_id > $1 order by c.workspace_id limit $2`,
      [after, WORKSPACES_IN_A_PAGE],
    );
    for (const row of rows) if (row.expired) yield row.id;
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

/** Deletes the oldest entries of one chain, up to the first that has not expired. Returns their number. */
async function trimBatch(connection: Connection, workspaceId: string): Promise<number> {
  await connection.query('begin');
  try {
    await connection.query(`set local lock_timeout = '5s'`);
    // Lock first, read in the next statement: only then does the read see everything that the previous lock holder
    // wrote.
    await connection.query('select 1 from audit_chain where workspace_id = $1 for update', [workspaceId]);
    const { rowCount } = await connection.query(
      `with oldest as (
         select e.sequence, e.hash, e.created_at < now() - interval '365 days' as expired
         from audit_chain c cross join lateral (
           select * from audit_entry where workspace_id = c.workspace_id and sequence > c.anchor_sequence
           order by sequence limit $2) e
         where c.workspace_id = $1
       ), last as (
         select sequence, hash from oldest
         where sequence < coalesce((select min(sequence) from oldest where not expired), sequence + 1)
         order by sequence desc limit 1
       ), anchored as (
         update audit_chain c set anchor_sequence = last.sequence, anchor_hash = last.hash
         from last where c.workspace_id = $1 and c.anchor_sequence < last.sequence
         returning c.workspace_id, c.anchor_sequence
       )
       delete from audit_entry e using anchored a
       where e.workspace_id = a.workspace_id and e.sequence <= a.anchor_sequence`,
      [workspaceId, BATCH],
    );
    await connection.query('commit');
    return rowCount ?? 0;
  } catch (error) {
    await connection.query('rollback');
    if (error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE) return 0;
    throw error;
  }
}
