import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { Db } from './client.ts';
import { NIL_UUID } from './uuid-range.ts';

/** The first break in a workspace's chain. */
export type ChainBreak =
  /** The chain does not begin where retention left it: the oldest entries, up to this sequence, were removed. */
  | { kind: 'oldest_missing'; sequence: bigint }
  /** This entry, or an entry before it, was changed after it was written. */
  | { kind: 'entry'; sequence: bigint; entryId: string }
  /** The chain's newest entries, up to this sequence, are missing or altered. */
  | { kind: 'newest_missing'; sequence: bigint }
  /** The workspace, or its entries, have no chain. Every workspace has one from its first entry. */
  | { kind: 'no_chain' };

/** The result of verifying one workspace's chain. */
export type VerifiedChain = {
  workspaceId: string;
  /** The newest entry; null when there is no chain. */
  head: { sequence: bigint; hash: string } | null;
  /** The last entry that retention deleted; null before the first. The time is null if it cannot be verified. */
  anchor: { sequence: bigint; hash: string; at: Date | null } | null;
  /** The verified entries whose personal values were erased. */
  erased: number;
  firstBreak: ChainBreak | null;
};

/**
 * Recomputes the audit chain of every workspace from its anchor. It holds one page of a chain at a time, so a log of
 * any length can be verified, even while entries are written and trimmed. It finds entries that were altered, removed
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
  let anchor: VerifiedChain['anchor'] = null;
  let erased = 0;
  for (let verified: { sequence: bigint; hash: string } | undefined; ; ) {
    const page = await readPage(db, workspaceId, verified ?? { sequence: 0n, hash: '' });
    if (page === undefined || page.headSequence === 0n) {
      return { workspaceId, head: null, anchor: null, erased, firstBreak: { kind: 'no_chain' } };
    }
    const head = { sequence: page.headSequence, hash: page.headHash };
    if (verified === undefined && page.anchorSequence > 0n) {
      anchor = { sequence: page.anchorSequence, hash: page.anchorHash, at: readAnchorTime(page) };
      const firstBreak = { kind: 'oldest_missing', sequence: anchor.sequence } as const;
      if (!isDue(anchor, page)) return { workspaceId, head, anchor, erased, firstBreak };
    }
    erased += page.erased;
    if (page.brokenSequence !== null && page.brokenId !== null) {
      const firstBreak = { kind: 'entry', sequence: page.brokenSequence, entryId: page.brokenId } as const;
      return { workspaceId, head, anchor, erased, firstBreak };
    }
    verified = { sequence: page.lastSequence, hash: page.lastHash };
    if (page.entries === ENTRIES_IN_A_PAGE) continue;
    const isWhole = verified.sequence === head.sequence && verified.hash === head.hash;
    const firstBreak = isWhole ? null : ({ kind: 'newest_missing', sequence: head.sequence } as const);
    return { workspaceId, head, anchor, erased, firstBreak };
  }
}

/**
 * Whether an anchor can come from the retention, because its entry is old enough. An anchor without a time dates from
 * before anchors could be verified, so the entry after it must be as old as that.
 */
function isDue({ at }: { at: Date | null }, page: Page): boolean {
  return at === null ? page.anchorInput === null && page.firstHasDigest === false : at < page.keptSince;
}

/** The time of the anchor's entry, if the anchor's hash proves its sequence and its time; else null. */
function readAnchorTime({ anchorInput, anchorHash, anchorPreviousHash, anchorSequence }: Page): Date | null {
  // The first entry has no previous hash. Another length could move the border between the hash and the text.
  const previousLength = anchorSequence === 1n ? 0 : 64;
  if (anchorInput === null || anchorPreviousHash?.length !== previousLength) return null;
  const hash = createHash('sha256').update(anchorPreviousHash, 'hex').update(anchorInput).digest('hex');
  if (hash !== anchorHash) return null;
  // In the form without a digest, the environment follows the array.
  const fields: unknown[] = JSON.parse(anchorInput.slice(0, anchorInput.lastIndexOf(']') + 1));
  const sequence = fields[0] === '2' ? fields[1] : fields[0];
  if (BigInt(Number(sequence)) !== anchorSequence) return null;
  return new Date(Number(fields.at(-1)) * 1_000);
}

type Page = {
  headSequence: bigint;
  headHash: string;
  anchorSequence: bigint;
  anchorHash: string;
  anchorPreviousHash: string | null;
  anchorInput: string | null;
  /** Entries from before this time may be deleted. */
  keptSince: Date;
  /** Null when there is no entry after the anchor. */
  firstHasDigest: boolean | null;
  entries: number;
  erased: number;
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
  // Repeats the expressions of the database's functions, because someone might have replaced a function.
  const [page] = await db.$queryRaw<Page[]>`
    with chain as (
      select sequence, hash, anchor_sequence, anchor_hash, anchor_previous_hash, anchor_input,
        greatest(anchor_sequence, ${verified.sequence}::bigint) as from_sequence,
        case when anchor_sequence >= ${verified.sequence}::bigint then anchor_hash
          else decode(${verified.hash}, 'hex') end as from_hash
      from audit_chain where workspace_id = ${workspaceId}::uuid
    ), chained as (
      select e.sequence, e.id, e.hash, e.personal_digest is not null as has_digest,
        e.personal_digest is not null and e.personal_salt is null as is_erased,
        case
          when e.personal_digest is null then e.personal_salt is null
          when e.personal_salt is null then e.actor_label = '' and e.metadata::text = json_build_object(
            'changes', json_build_object(), 'ip', null, 'userAgent', null, 'requestId', substring(e.metadata::text from '"requestId" ?: ?"([^"]*)" ?[}]$'))::text
          else e.personal_digest = sha256(
            e.personal_salt || convert_to(json_build_array(e.actor_label, e.metadata::text)::text, 'UTF8'))
        end as has_its_values,
        lag(e.sequence, 1, c.from_sequence) over entries as previous_sequence,
        sha256(lag(e.hash, 1, c.from_hash) over entries || convert_to(case when e.personal_digest is null
          then json_build_array(
            e.sequence, e.id, e.workspace_id, e.application_id, e.actor_type, e.actor_id, e.actor_label, e.visibility,
            e.action, e.resource_type, e.resource_id, e.metadata::text, extract(epoch from e.created_at))::text
            || coalesce(e.environment_id::text, '')
          else json_build_array(
            '2', e.sequence, e.id, e.workspace_id, e.application_id, e.environment_id, e.actor_type, e.actor_id,
            e.visibility, e.action, e.resource_type, e.resource_id,
            substring(e.metadata::text from '"requestId" ?: ?"([^"]*)" ?[}]$'),
            encode(e.personal_digest, 'hex'), extract(epoch from e.created_at))::text
        end, 'UTF8')) as expected
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
        where hash is distinct from expected or sequence is distinct from previous_sequence + 1 or not has_its_values
        order by sequence limit 1)
      order by sequence limit 1
    ), last as (select sequence, hash from chained order by sequence desc limit 1)
    select c.sequence as "headSequence", encode(c.hash, 'hex') as "headHash",
      c.anchor_sequence as "anchorSequence", encode(c.anchor_hash, 'hex') as "anchorHash",
      encode(c.anchor_previous_hash, 'hex') as "anchorPreviousHash", c.anchor_input as "anchorInput",
      now() - interval '365 days' as "keptSince",
      (select has_digest from chained order by sequence limit 1) as "firstHasDigest",
      (select count(*) from chained)::int as entries,
      (select count(*) from chained where is_erased)::int as erased,
      coalesce(last.sequence, c.from_sequence) as "lastSequence",
      encode(coalesce(last.hash, c.from_hash), 'hex') as "lastHash",
      broken.sequence as "brokenSequence", broken.id as "brokenId"
    from chain c left join last on true left join broken on true`;
  return page;
}

type Connection = Pick<pg.Client, 'query'>;

/**
 * Deletes the oldest entries of each chain, those older than 365 days, and keeps the last deleted hash as the anchor,
 * with what it was made of, so that the remaining entries and the anchor's age can still be verified. Returns the number
 * of deleted entries. Only one caller at a time trims; a concurrent caller deletes nothing. A chain that stays locked by
 * changes for longer than 5 s is left to the next round. `connection` must belong to the owner of the tables and must not
 * come from a transaction pooler.
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
         select e.sequence, e.hash, lag(e.hash, 1, c.anchor_hash) over (order by e.sequence) as previous_hash,
           e.created_at < now() - interval '365 days' as expired
         from audit_chain c cross join lateral (
           select * from audit_entry where workspace_id = c.workspace_id and sequence > c.anchor_sequence
           order by sequence limit $2) e
         where c.workspace_id = $1
       ), last as (
         select sequence, hash, previous_hash from oldest
         where sequence < coalesce((select min(sequence) from oldest where not expired), sequence + 1)
         order by sequence desc limit 1
       ), anchored as (
         update audit_chain c set anchor_sequence = last.sequence, anchor_hash = last.hash,
           anchor_previous_hash = last.previous_hash, anchor_input = (
             select audit_entry_input(e) from audit_entry e where e.workspace_id = $1 and e.sequence = last.sequence)
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
