import { randomBytes } from 'node:crypto';
import { digestToken } from '@posthorn/crypto/token';
import type { Db, DbTransaction } from '@posthorn/db/client';

/** The codes that a person gets at once. */
const CODES = 10;
/** A code has 80 bits, so a fast hash is enough to store it. */
const CHARACTERS = 16;
/** Crockford's base32: no two characters look alike. 32 divides 256, so a byte modulo 32 has no bias. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** Replaces the person's recovery codes by ten new ones, `xxxx-xxxx-xxxx-xxxx`. Only their hashes are stored. */
export async function replaceRecoveryCodes(transaction: DbTransaction, userId: string): Promise<string[]> {
  const codes = Array.from({ length: CODES }, newCode);
  await transaction.recoveryCode.deleteMany({ where: { userId } });
  await transaction.recoveryCode.createMany({ data: codes.map((code) => ({ userId, digest: digestOf(code) })) });
  return codes;
}

/** Uses up a code of the person: false when it is unknown or was used. Only one of concurrent requests succeeds. */
export async function useRecoveryCode(
  db: Pick<Db | DbTransaction, 'recoveryCode'>,
  userId: string,
  code: string,
): Promise<boolean> {
  const { count } = await db.recoveryCode.deleteMany({ where: { userId, digest: digestOf(code) } });
  return count > 0;
}

function newCode(): string {
  const characters = Array.from(randomBytes(CHARACTERS), (byte) => ALPHABET.charAt(byte % ALPHABET.length));
  return [0, 4, 8, 12].map((at) => characters.slice(at, at + 4).join('')).join('-');
}

/** People leave out hyphens, and type o for 0 and l for 1. */
function digestOf(code: string): Uint8Array<ArrayBuffer> {
  return digestToken(
    code.toLowerCase().replace(/[\s-]/g, '').replaceAll('o', '0').replaceAll('i', '1').replaceAll('l', '1'),
  );
}
