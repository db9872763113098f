import type pg from 'pg';
import type { Db } from './client.ts';

/** Where a workspace's chain breaks first. */
export type ChainBreak =
  /** This entry is not what was written, or the entries before it are not. */
  | { kind: 'entry'; sequence: bigint; entryId: string }
  /** The chain's newest entries, up to this sequence, are missing or altered. */
  | { kind: 'newest_missing'; sequence: bigint }
  /** The workspace, or its entries, have no chain. Every workspace has one from its first entry on. */
  | { kind: 'no_chain' };

/** What the verification of one workspace's chain found; `head` is null where there is no chain. */
export type VerifiedChain = {
  workspaceId: string;
  head: { sequence: bigint; hash: string } | null;
  firstBreak: ChainBreak | null;
};

/**
 * Recomputes the audit chain of every workspace from its anchor. It reads in pages and holds one page of a chain at a
 * time, so that a log of any length can be verified, also while entries are written and trimmed.
 *
 * It finds entries that were altered, removed or inserted, and whole chains that are gone. It cannot find that a whole
 * chain was rewritten by someone with write access to the database: compare `head` with copies kept elsewhere for that.
 */
export async function* verifyAuditChains(db: Db): AsyncGenerator<VerifiedChain> {
  for (let after = NOTHING; ; ) {
    const workspaceIds = await readWorkspaceIds(db, after);
    for (const workspaceId of workspaceIds) yield await verifyChain(db, workspaceId);
    const last = workspaceIds.at(-1);
    if (last === undefined) return;
    after = last;
  }
}

/** Before every key. */
const NOTHING = '00000000-0000-0000-0000-000000000000';
const WORKSPACES_IN_A_PAGE = 1_000;
const ENTRIES_IN_A_PAGE = 2_000;

/** Workspaces that exist, have a chain, or have entries: any of the three may have been removed. */
async function readWorkspaceIds(db: Db, after: string): Promise<string[]> {
  // `of_entries` walks the index from one workspace to the next and does not read the entries in between.
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
  /** The last entry of the page, or what the page began from where it has none. */
  lastSequence: bigint;
  lastHash: string;
  brokenSequence: bigint | null;
  brokenId: string | null;
};

/**
 * Recomputes the entries after `verified`, or after the anchor where a trim has moved it further. One statement reads
 * the page, the anchor and the head, so that they belong together.
 */
async function readPage(
  db: Db,
  workspaceId: string,
  verified: { sequence: bigint; hash: string },
): Promise<Page | undefined> {
  // The trigger's expression is repeated here: a function in the database might itself have been replaced.
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
 * Deletes the entries that are older than 365 days from the old end of each chain, and keeps the last hash as the
 * anchor, so that the rest can still be verified. Answers how many entries were deleted. One caller at a time trims;
 * another caller meanwhile deletes nothing. A chain that changes hold for longer than 5 s waits for the next round.
 * `connection` belongs to the owner of the tables and is not lent by a pooler.
 */
export async function trimAuditLog(connection: Connection): Promise<number> {
  const { rows } = await connection.query<{ locked: boolean }>('select pg_try_advisory_lock(7061727472) as locked');
  if (rows[0]?.locked !== true) return 0;
  try {
    let trimmed = 0;
    for await (const workspaceId of findExpiredChains(connection)) {
      for (let deleted = BATCH; deleted === BATCH; trimmed += deleted) {
        deleted = await trimBatch(connection, workspaceId);
      }
    }
    return trimmed;
  } finally {
    await connection.query('select pg_advisory_unlock(7061727472)');
  }
}

/** A change in the same workspace waits for one batch: some 20 ms. */
const BATCH = 1_000;
const LOCK_NOT_AVAILABLE = '55P03';

/** The workspaces whose oldest entry has expired, in pages. */
async function* findExpiredChains(connection: Connection): AsyncGenerator<string> {
  for (let after = NOTHING; ; ) {
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

/** Deletes the oldest entries of one chain, up to the first that has not expired; answers how many. */
async function trimBatch(connection: Connection, workspaceId: string): Promise<number> {
  await connection.query('begin');
  try {
    await connection.query(`set local lock_timeout = '5s'`);
    // First the lock and then the look: the statement that follows sees all that the holder before has done.
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
