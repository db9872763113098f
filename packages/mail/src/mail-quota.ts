import { createHash } from 'node:crypto';
import type { DbTransaction } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import type { MailKind } from './outgoing-mail.ts';

const DAY_SECONDS = 86_400;

/** Whose mails are counted: those of all workspaces of an owner, those to an address, or both. */
export type Counted = { ownerId?: string; address?: string; kinds: readonly MailKind[] };

/**
 * The mails of these kinds that were queued within 24 hours. The answer holds until the transaction ends: others who count the same
 * wait for it.
 */
export async function countMails(
  transaction: Pick<DbTransaction, '$queryRaw' | '$executeRaw'>,
  { ownerId, address, kinds }: Counted,
): Promise<number> {
  const lock = `mails of ${ownerId ?? ''} to ${ownerId === undefined ? (address ?? '') : ''}`;
  await transaction.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`;
  const ofOwner = ownerId === undefined ? Prisma.empty : Prisma.sql`and owner_id = ${ownerId}::uuid`;
  const toAddress = address === undefined ? Prisma.empty : Prisma.sql`and address_digest = ${digestOfAddress(address)}`;
  const [row] = await transaction.$queryRaw<{ count: bigint }[]>`
    select count(*) as count from outgoing_mail
    where kind = any(${[...kinds]}::text[]) and created_at > now() - make_interval(secs => ${DAY_SECONDS}::int)
      ${ofOwner} ${toAddress}`;
  return Number(row?.count ?? 0);
}

/** Mails are counted by it, while the address itself is sealed. */
export function digestOfAddress(address: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(`mail address ${address.toLowerCase()}`).digest());
}
