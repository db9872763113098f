import { createHash } from 'node:crypto';
import type { DbTransaction } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';

const DAY_SECONDS = 86_400;

/** Whose mails are counted: those of all workspaces of an owner, those to an address, or both. */
export type Counted = { ownerId?: string; address?: string; kinds: readonly string[] };

/**
 * The mails of these kinds that were queued within 24 hours, also those that an earlier release queued without their owner. The answer holds until the transaction ends: others who count the same
 * wait for it.
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

/** Mails are counted by it, while the address itself is sealed. */
export function digestOfAddress(address: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(`mail address ${address.toLowerCase()}`).digest());
}
