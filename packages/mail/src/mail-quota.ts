import { createHash } from 'node:crypto';
import type { DbTransaction } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';

const DAY_SECONDS = 86_400;

/** Selects the mails to count: those of all workspaces of an owner, those to an address, or both. */
export type Counted = { ownerId?: string; address?: string; kinds: readonly string[] };

/**
 * Counts the mails of these kinds that were queued within 24 hours, including those that an earlier release queued
 * without an owner. The count holds until the transaction ends: other transactions that count the same mails wait for
 * it.
 */
export async function countMails(
  transaction: Pick<DbTransaction, '$queryRaw' | '$executeRaw'>,
  { ownerId, address, kinds }: Counted,
): Promise<number> {
  const lock = `mails of ${ownerId ?? ''} to ${ownerId === undefined ? (address ?? '') : ''}`;
  await transaction.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`;
  const toAddress = address === undefined ? Prisma.empty : Prisma.sql`and address_digest = ${digestOfAddress(address)}`;
  const counted = Prisma.sql`
    kind = any(${[...kinds]}::text[]) and m.created_at > now() - make_interval(secs => ${DAY_SECONDS}::int) ${toAddress}`;
  const [row] = await transaction.$queryRaw<{ count: bigint }[]>(
    ownerId === undefined
      ? Prisma.sql`select count(*) as count from outgoing_mail m where ${counted}`
      : Prisma.sql`select (select count(*) from outgoing_mail m where m.owner_id = ${ownerId}::uuid and ${counted})
          + (select count(*) from outgoing_mail m join workspace w on w.id = m.workspace_id
            where m.owner_id is null and coalesce(w.created_by, w.id) = ${ownerId}::uuid and ${counted}) as count`,
  );
  return Number(row?.count ?? 0);
}

/** The digest by which the mails to an address are counted, because the address itself is stored sealed. */
export function digestOfAddress(address: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(`mail address ${address.toLowerCase()}`).digest());
}
