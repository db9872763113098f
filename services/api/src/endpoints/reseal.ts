import { sealContext } from '@posthorn/crypto/contexts';
import { isSealedWithFirstKey, open, type SealingKeys, seal } from '@posthorn/crypto/seal';
import type { Db } from '@posthorn/db/client';

export type Resealed = {
  secrets: number;
  privateKeys: number;
  passwords: number;
  headers: number;
  credentials: number;
  alertTargets: number;
  authenticators: number;
  unreadable: number;
};

/**
 * Reseals with the first key what an older key sealed: signing secrets, private keys, endpoint passwords, secret headers,
 * credentials, targets of alert rules and secrets of authenticator apps. Payloads are never resealed, because retention
 * deletes them: the older key can be removed from the settings once the last payload under it has expired. Services may
 * run meanwhile; a value that changed in between is not touched. A value that no configured key opens is counted and not
 * changed. Returns the numbers of resealed values.
 */
export async function resealEndpoints(db: Db, keys: SealingKeys): Promise<Resealed> {
  const resealed: Resealed = {
    secrets: 0,
    privateKeys: 0,
    passwords: 0,
    headers: 0,
    credentials: 0,
    alertTargets: 0,
    authenticators: 0,
    unreadable: 0,
  };
  for await (const { id, sealed, privateKeySealed } of pages((page) => db.signingSecret.findMany(page))) {
    const secret = sealAnew(keys, sealed, sealContext.signingSecret(id), resealed);
    if (secret !== undefined) {
      const { count } = await db.signingSecret.updateMany({ where: { id, sealed }, data: { sealed: secret } });
      resealed.secrets += count;
    }
    const privateKey = privateKeySealed && sealAnew(keys, privateKeySealed, sealContext.signingKey(id), resealed);
    if (!privateKey) continue;
    const { count } = await db.signingSecret.updateMany({
      where: { id, privateKeySealed },
      data: { privateKeySealed: privateKey },
    });
    resealed.privateKeys += count;
  }
  for await (const endpoint of pages((page) => db.endpoint.findMany(page))) {
    const { id, authPasswordSealed, version } = endpoint;
    const password =
      authPasswordSealed && sealAnew(keys, authPasswordSealed, sealContext.endpointPassword(id), resealed);
    if (password) {
      const { count } = await db.endpoint.updateMany({
        where: { id, authPasswordSealed },
        data: { authPasswordSealed: password },
      });
      resealed.passwords += count;
    }
    for (const column of ['secretHeaders', 'credentials'] as const) {
      const values = { id, column, values: endpoint[column] as Sealed, version };
      resealed[column === 'credentials' ? column : 'headers'] += await resealValuesOf(db, keys, values, resealed);
    }
  }
  await resealAlertTargets(db, keys, resealed);
  await resealAuthenticators(db, keys, resealed);
  return resealed;
}

async function resealAlertTargets(db: Db, keys: SealingKeys, resealed: Resealed): Promise<void> {
  for await (const { id, targetSealed } of pages((page) => db.alertRule.findMany(page))) {
    const target = sealAnew(keys, targetSealed, sealContext.alertTarget(id), resealed);
    if (target === undefined) continue;
    const data = { targetSealed: new Uint8Array(target) };
    const { count } = await db.alertRule.updateMany({ where: { id, targetSealed }, data });
    resealed.alertTargets += count;
  }
}

async function resealAuthenticators(db: Db, keys: SealingKeys, resealed: Resealed): Promise<void> {
  for await (const { id, secretSealed } of pages((page) => db.authenticator.findMany(page))) {
    const secret = sealAnew(keys, secretSealed, sealContext.authenticator(id), resealed);
    if (secret === undefined) continue;
    const { count } = await db.authenticator.updateMany({
      where: { id, secretSealed },
      data: { secretSealed: secret },
    });
    resealed.authenticators += count;
  }
}

/** By name, the sealed value in base64. */
type Sealed = Record<string, string>;
type EndpointValues = { id: string; column: 'secretHeaders' | 'credentials'; values: Sealed; version: number };

/**
 * Reseals the secret headers or the credentials of one endpoint, and returns their number. JSON columns cannot be compared,
 * but every change of the endpoint raises its version. After a change in between, which may have left the values as they
 * were, they are read again.
 */
async function resealValuesOf(db: Db, keys: SealingKeys, first: EndpointValues, counts: Resealed): Promise<number> {
  const { id, column } = first;
  for (let endpoint = first; ; ) {
    // Unreadable values are counted once.
    const { after, resealed } = resealValues(keys, endpoint, endpoint === first ? counts : { ...counts });
    if (resealed === 0) return 0;
    const where = { id, version: endpoint.version };
    const { count } = await db.endpoint.updateMany({ where, data: { [column]: after } });
    if (count > 0) return resealed;
    const select = { secretHeaders: true, credentials: true, version: true };
    const row = await db.endpoint.findUnique({ where: { id }, select });
    if (row === null) return 0;
    endpoint = { id, column, values: row[column] as Sealed, version: row.version };
  }
}

function resealValues(keys: SealingKeys, { id, column, values }: EndpointValues, counts: Resealed) {
  const after = { ...values };
  let resealed = 0;
  for (const [name, sealed] of Object.entries(values)) {
    const context =
      column === 'credentials' ? sealContext.endpointCredential(id, name) : sealContext.secretHeader(id, name);
    const fresh = sealAnew(keys, Buffer.from(sealed, 'base64'), context, counts);
    if (fresh === undefined) continue;
    after[name] = Buffer.from(fresh).toString('base64');
    resealed += 1;
  }
  return { after, resealed };
}

const PAGE = 500;

type Page = { where: { id?: { gt: string } }; orderBy: { id: 'asc' }; take: number };

async function* pages<Row extends { id: string }>(read: (page: Page) => Promise<Row[]>): AsyncGenerator<Row> {
  let after: string | undefined;
  do {
    const where = after === undefined ? {} : { id: { gt: after } };
    const rows = await read({ where, orderBy: { id: 'asc' }, take: PAGE });
    yield* rows;
    after = rows.length < PAGE ? undefined : rows.at(-1)?.id;
  } while (after !== undefined);
}

function sealAnew(keys: SealingKeys, sealed: Uint8Array, context: string, counts: Resealed) {
  if (isSealedWithFirstKey(keys, sealed)) return undefined;
  const opened = open(keys, sealed, context);
  if (opened.kind === 'opened') return new Uint8Array(seal(keys, opened.plaintext, context));
  counts.unreadable += 1;
  return undefined;
}
