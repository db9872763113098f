import { sealContext } from '@posthorn/crypto/contexts';
import { isSealedWithFirstKey, open, type SealingKeys, seal } from '@posthorn/crypto/seal';
import type { Db } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { NIL_UUID } from '@posthorn/db/uuid-range';
import type { SealedValues } from './sealed-values.ts';

export type Resealed = {
  secrets: number;
  privateKeys: number;
  passwords: number;
  headers: number;
  credentials: number;
  alertTargets: number;
  authenticators: number;
  searchKeys: number;
  agentSubjects: number;
  unreadable: number;
};

/** The columns that hold one sealed value, each with the context to which the value is bound by the id of its row. */
const SEALED_COLUMNS = [
  ['secrets', 'signing_secret', 'sealed', sealContext.signingSecret],
  ['privateKeys', 'signing_secret', 'private_key_sealed', sealContext.signingKey],
  ['passwords', 'endpoint', 'auth_password_sealed', sealContext.endpointPassword],
  ['alertTargets', 'alert_rule', 'target_sealed', sealContext.alertTarget],
  ['authenticators', 'authenticator', 'secret_sealed', sealContext.authenticator],
  ['searchKeys', 'workspace_search_key', 'sealed', sealContext.searchKey],
  ['agentSubjects', 'environment', 'agent_subjects_sealed', sealContext.agentSubjects],
] as const;

/**
 * Reseals with the first key everything that an older key sealed: signing secrets, private keys, endpoint passwords,
 * secret headers, credentials, targets of alert rules, secrets of authenticator apps, search keys and keys of agents'
 * subjects. Payloads are never resealed, because retention deletes them: the older key can be removed from the settings
 * once the last payload under it has expired. Services may run meanwhile: a value that changed in between is left
 * alone. A value that no configured key opens is counted and not changed. Returns the numbers of resealed values.
 */
export async function resealEndpoints(db: Db, keys: SealingKeys): Promise<Resealed> {
  const resealed: Resealed = {
    ...{ secrets: 0, privateKeys: 0, passwords: 0, headers: 0, credentials: 0 },
    ...{ alertTargets: 0, authenticators: 0, searchKeys: 0, agentSubjects: 0, unreadable: 0 },
  };
  for (const [counter, ...names] of SEALED_COLUMNS) {
    const [table, column, contextOf] = [Prisma.raw(names[0]), Prisma.raw(names[1]), names[2]];
    const read = (after: string) => db.$queryRaw<{ id: string; sealed: Uint8Array }[]>`
      select id, ${column} as sealed from ${table} where id > ${after}::uuid and ${column} is not null
      order by id limit ${PAGE}::int`;
    for await (const { id, sealed } of pages(read)) {
      const fresh = sealAnew(keys, sealed, contextOf(id), resealed);
      if (fresh === undefined) continue;
      resealed[counter] += await db.$executeRaw`
        update ${table} set ${column} = ${fresh} where id = ${id}::uuid and ${column} = ${sealed}`;
    }
  }
  const read = (after: string) =>
    db.endpoint.findMany({ where: { id: { gt: after } }, orderBy: { id: 'asc' }, take: PAGE });
  for await (const endpoint of pages(read)) {
    for (const column of ['secretHeaders', 'credentials'] as const) {
      const values = { id: endpoint.id, column, values: endpoint[column] as SealedValues, version: endpoint.version };
      resealed[column === 'credentials' ? column : 'headers'] += await resealValuesOf(db, keys, values, resealed);
    }
  }
  const readSources = (after: string) =>
    db.source.findMany({ where: { id: { gt: after } }, orderBy: { id: 'asc' }, take: PAGE });
  for await (const source of pages(readSources)) {
    const contextOf = (name: string) => sealContext.sourceCredential(source.id, name);
    const values = { values: source.credentials as SealedValues, contextOf };
    const { after, resealed: fresh } = resealValues(keys, values, resealed);
    // A change in between raises the revision, and has sealed its values with the first key.
    const where = { id: source.id, revision: source.revision };
    if (fresh > 0 && (await db.source.updateMany({ where, data: { credentials: after } })).count > 0) {
      resealed.credentials += fresh;
    }
  }
  return resealed;
}

type EndpointValues = { id: string; column: 'secretHeaders' | 'credentials'; values: SealedValues; version: number };

/**
 * Reseals the secret headers or the credentials of one endpoint, and returns their number. JSON columns cannot be compared,
 * but every change of the endpoint raises its version. After a change in between, which may have left the values as they
 * were, they are read again.
 */
async function resealValuesOf(db: Db, keys: SealingKeys, first: EndpointValues, counts: Resealed): Promise<number> {
  const { id, column } = first;
  for (let endpoint = first; ; ) {
    // Unreadable values are counted once.
    const contextOf = (name: string) =>
      column === 'credentials' ? sealContext.endpointCredential(id, name) : sealContext.secretHeader(id, name);
    const given = { values: endpoint.values, contextOf };
    const { after, resealed } = resealValues(keys, given, endpoint === first ? counts : { ...counts });
    if (resealed === 0) return 0;
    const where = { id, version: endpoint.version };
    const { count } = await db.endpoint.updateMany({ where, data: { [column]: after } });
    if (count > 0) return resealed;
    const select = { secretHeaders: true, credentials: true, version: true };
    const row = await db.endpoint.findUnique({ where: { id }, select });
    if (row === null) return 0;
    endpoint = { id, column, values: row[column] as SealedValues, version: row.version };
  }
}

type SealedByName = { values: SealedValues; contextOf: (name: string) => string };

function resealValues(keys: SealingKeys, { values, contextOf }: SealedByName, counts: Resealed) {
  const after = { ...values };
  let resealed = 0;
  for (const [name, sealed] of Object.entries(values)) {
    const fresh = sealAnew(keys, Buffer.from(sealed, 'base64'), contextOf(name), counts);
    if (fresh === undefined) continue;
    after[name] = Buffer.from(fresh).toString('base64');
    resealed += 1;
  }
  return { after, resealed };
}

const PAGE = 500;

async function* pages<Row extends { id: string }>(read: (after: string) => Promise<Row[]>): AsyncGenerator<Row> {
  for (let after: string | undefined = NIL_UUID; after !== undefined; ) {
    const rows: Row[] = await read(after);
    yield* rows;
    after = rows.length < PAGE ? undefined : rows.at(-1)?.id;
  }
}

function sealAnew(keys: SealingKeys, sealed: Uint8Array, context: string, counts: Resealed) {
  if (isSealedWithFirstKey(keys, sealed)) return undefined;
  const opened = open(keys, sealed, context);
  if (opened.kind === 'opened') return new Uint8Array(seal(keys, opened.plaintext, context));
  counts.unreadable += 1;
  return undefined;
}
