import type { DbTransaction } from './client.ts';

/** One page of an erasure in the audit log of a workspace. */
export type ErasedPage = {
  /** The entries whose personal values this page erased. */
  erased: number;
  /** Entries from before personal values could be erased. Retention deletes them. */
  kept: number;
  /** Where the next page begins; undefined after the last page. */
  next: bigint | undefined;
};

const ENTRIES_IN_A_PAGE = 2_000;

/**
 * Erases the personal values of the audit entries about one customer: the actor's label and the metadata (names, the
 * changes, the address and the browser of the request). The entries and their chain stay. Reads the next 2,000 entries
 * after `after`, in the order in which they were written; begin with 0. Idempotent.
 */
export async function eraseAuditValues(
  transaction: Pick<DbTransaction, '$queryRaw'>,
  customer: {
    workspaceId: string;
    applicationId: string;
    /** The public id. */
    resourceId: string;
    after: bigint;
  },
): Promise<ErasedPage> {
  const [page] = await transaction.$queryRaw<{ entries: number; erased: number; kept: number; last: bigint }[]>`
    with page as materialized (
      select id, sequence, personal_salt is not null as has_values, personal_digest is null as is_old,
        (application_id is not distinct from ${customer.applicationId}::uuid or resource_id = ${customer.resourceId})
          and action <> 'application.erased' as is_about
      from audit_entry where workspace_id = ${customer.workspaceId}::uuid and sequence > ${customer.after}::bigint
      order by sequence limit ${ENTRIES_IN_A_PAGE}::int
    )
    select count(*)::int as entries, count(*) filter (where is_about and is_old)::int as kept, max(sequence) as last,
      erase_audit_values(coalesce(array_agg(id) filter (where is_about and has_values), '{}')) as erased
    from page`;
  const { entries, erased, kept, last } = page ?? { entries: 0, erased: 0, kept: 0, last: 0n };
  return { erased, kept, next: entries === ENTRIES_IN_A_PAGE ? last : undefined };
}
