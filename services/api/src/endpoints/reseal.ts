import { sealContext } from '@posthorn/crypto/contexts';
import { isSealedWithFirstKey, open, type SealingKeys, seal } from '@posthorn/crypto/seal';
import type { Db } from '@posthorn/db/client';

export type Resealed = { secrets: number; passwords: number; unreadable: number };

/**
 * Reseals with the first key every signing secret and endpoint password that an older key sealed. The older key can be
 * removed from the settings once the last payload under it has expired: payloads are never resealed, retention deletes
 * them. Services may run meanwhile; a value that changed in between is not touched. A value that no configured key
 * opens is counted and not changed.
 */
export async function resealEndpoints(db: Db, keys: SealingKeys): Promise<Resealed> {
  const resealed: Resealed = { secrets: 0, passwords: 0, unreadable: 0 };
  for await (const { id, sealed } of pages((after) => secretsAfter(db, after))) {
    const fresh = sealAnew(keys, sealed, sealContext.signingSecret(id), resealed);
    if (fresh === undefined) continue;
    const { count } = await db.signingSecret.updateMany({ where: { id, sealed }, data: { sealed: fresh } });
    resealed.secrets += count;
  }
  for await (const { id, sealed } of pages((after) => passwordsAfter(db, after))) {
    const fresh = sealAnew(keys, sealed, sealContext.endpointPassword(id), resealed);
    if (fresh === undefined) continue;
    const where = { id, authPasswordSealed: sealed };
    const { count } = await db.endpoint.updateMany({ where, data: { authPasswordSealed: fresh } });
    resealed.passwords += count;
  }
  return resealed;
}

type SealedRow = { id: string; sealed: Uint8Array<ArrayBuffer> };

const PAGE = 500;

async function* pages(read: (after: string | undefined) => Promise<SealedRow[]>): AsyncGenerator<SealedRow> {
  let after: string | undefined;
  do {
    const rows = await read(after);
    yield* rows;
    after = rows.length < PAGE ? undefined : rows.at(-1)?.id;
  } while (after !== undefined);
}

function secretsAfter(db: Db, after: string | undefined): Promise<SealedRow[]> {
  return db.signingSecret.findMany({ ...pageAfter(after), select: { id: true, sealed: true } });
}

async function passwordsAfter(db: Db, after: string | undefined): Promise<SealedRow[]> {
  const { where, ...page } = pageAfter(after);
  const select = { id: true, authPasswordSealed: true };
  const rows = await db.endpoint.findMany({ where: { ...where, authPasswordSealed: { not: null } }, ...page, select });
  return rows.flatMap(({ id, authPasswordSealed: sealed }) => (sealed === null ? [] : [{ id, sealed }]));
}

function pageAfter(after: string | undefined) {
  return { where: after === undefined ? {} : { id: { gt: after } }, orderBy: { id: 'asc' }, take: PAGE } as const;
}

function sealAnew(keys: SealingKeys, sealed: Uint8Array, context: string, counts: Resealed) {
  if (isSealedWithFirstKey(keys, sealed)) return undefined;
  const opened = open(keys, sealed, context);
  if (opened.kind === 'opened') return new Uint8Array(seal(keys, opened.plaintext, context));
  counts.unreadable += 1;
  return undefined;
}
