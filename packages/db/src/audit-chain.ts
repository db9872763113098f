import type { Db } from './client.ts';
import { inTransaction } from './transaction.ts';

/** Where a workspace's chain breaks: the first entry that is not what was written, or a head without its entry. */
export type BrokenChain = { workspaceId: string; sequence: bigint; entryId: string | null };

/**
 * Recomputes every workspace's audit chain from its anchor and answers the first break of each; none when all is as it
 * was written. It finds entries altered, removed or slipped in, not a rewriting of the whole chain by someone who may
 * write to the database: compare the heads with copies kept elsewhere for that.
 */
export async function findBrokenAuditChains(db: Db): Promise<BrokenChain[]> {
  // The expression of the trigger is repeated here: a function in the database might itself have been replaced.
  return db.$queryRaw<BrokenChain[]>`
    with chained as (
      select e.workspace_id, e.sequence, e.id, e.hash,
        lag(e.sequence, 1, c.anchor_sequence) over entries as previous_sequence,
        sha256(lag(e.hash, 1, c.anchor_hash) over entries || convert_to(json_build_array(
          e.sequence, e.id, e.workspace_id, e.application_id, e.actor_type, e.actor_id, e.actor_label, e.visibility,
          e.action, e.resource_type, e.resource_id, e.metadata::text, extract(epoch from e.created_at))::text
          || coalesce(e.environment_id::text, ''), 'UTF8')) as expected
      from audit_entry e left join audit_chain c on c.workspace_id = e.workspace_id
      window entries as (partition by e.workspace_id order by e.sequence)
    ), broken as (
      select workspace_id, sequence, id from chained
      where hash is distinct from expected or sequence is distinct from previous_sequence + 1
      union all
      select c.workspace_id, c.sequence, null from audit_chain c
      left join audit_entry e on e.workspace_id = c.workspace_id and e.sequence = c.sequence and e.hash = c.hash
      where e.id is null and c.sequence > c.anchor_sequence
    )
    select distinct on (workspace_id) workspace_id as "workspaceId", sequence, id as "entryId"
    from broken order by workspace_id, sequence, id nulls last`;
}

/**
 * Deletes what is older than the retention of 365 days from the old end of each chain, and keeps its last hash as the
 * anchor, so that the rest can still be verified. Answers how many entries went.
 */
export async function trimAuditLog(db: Db): Promise<number> {
  return inTransaction(db, async (transaction) => {
    await transaction.$executeRaw`
      update audit_chain c set anchor_sequence = last.sequence, anchor_hash = last.hash
      from (
        select distinct on (e.workspace_id) e.workspace_id, e.sequence, e.hash from audit_entry e
        where e.created_at < now() - interval '365 days' and not exists (
          select 1 from audit_entry younger where younger.workspace_id = e.workspace_id
            and younger.sequence < e.sequence and younger.created_at >= now() - interval '365 days')
        order by e.workspace_id, e.sequence desc
      ) last
      where c.workspace_id = last.workspace_id`;
    return transaction.$executeRaw`
      delete from audit_entry e using audit_chain c
      where c.workspace_id = e.workspace_id and e.sequence <= c.anchor_sequence`;
  });
}
