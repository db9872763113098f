import { newUuid } from '@posthorn/contract/ids';
import { digestToken, newToken, tokenPreview } from '@posthorn/crypto/token';
import type { DbTransaction } from '@posthorn/db/client';
import type { Clock } from '@posthorn/runtime/clock';

type NewPullKey = { endpointId: string; name: string; expiresAt: Date | null };

/** Stores a new key as its digest, and returns it in clear. */
export async function insertPullKey(
  { clock }: { clock: Clock },
  transaction: Pick<DbTransaction, 'pullKey'>,
  columns: NewPullKey,
) {
  const pullKey = newToken('pullKey');
  const row = await transaction.pullKey.create({
    data: { id: newUuid(clock.now()), digest: digestToken(pullKey), preview: tokenPreview(pullKey), ...columns },
  });
  return { row, pullKey };
}
