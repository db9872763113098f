import type { SourceConfig } from '@posthorn/contract/sources';
import { sealContext } from '@posthorn/crypto/contexts';
import { open, type SealingKeys } from '@posthorn/crypto/seal';
import type { Db } from '@posthorn/db/client';
import { limitsOf, type OwnLimits, type QuotaDefaults } from '@posthorn/ingest/quota-limits';
import type { SourceReport, SourceToRead } from './read-source.ts';

// Which dispatcher reads a source. The lease only avoids work that is done twice: the rows of a source fence what is stored.

/** Three rounds may fail before another process takes a source. */
const LEASE_SECONDS = 10;
const MOST = { ofProcess: 20, ofOwner: 5, looked: 200 };

/** Whether there is any source to read, by any process. */
export async function anySource(db: Db): Promise<boolean> {
  const [row] = await db.$queryRaw<{ any: boolean }[]>`select exists(select from source where is_active) as any`;
  return row?.any === true;
}

/** Writes what the readers have found, and keeps their leases. */
export async function renew(
  db: Db,
  reader: string,
  reports: readonly { id: string; revision: string; report: SourceReport }[],
): Promise<void> {
  if (reports.length === 0) return;
  const given = reports.map(({ id, revision, report: { status, error, lagRecords, lastRecordAt, rejected } }) => ({
    ...{ id, revision, status, error, rejected },
    ...{ lag: lagRecords?.toString() ?? null, last: lastRecordAt?.toISOString() ?? null },
  }));
  await db.$executeRaw`
    update source s set read_until = now() + make_interval(secs => ${LEASE_SECONDS}::int), lag_records = r.lag,
      last_record_at = coalesce(r.last, s.last_record_at), rejected = s.rejected + r.rejected,
      status = case when s.revision = r.revision then r.status else s.status end,
      error = case when s.revision = r.revision then r.error else s.error end
    from json_to_recordset(${JSON.stringify(given)}::json) as r(id uuid, revision uuid, status text, error text, lag bigint,
      last timestamptz, rejected bigint)
    where s.id = r.id and s.reader = ${reader}::uuid`;
}

/** Takes a source that nobody reads, if this process has room for one: so several processes divide them. */
export async function takeOne(db: Db, reader: string, held: readonly SourceToRead[]): Promise<void> {
  if (held.length >= MOST.ofProcess) return;
  const free = await db.$queryRaw<{ id: string; ownerId: string }[]>`
    select s.id, coalesce(w.created_by, w.id) as "ownerId" from source s join workspace w on w.id = s.workspace_id
    where s.is_active and s.status <> 'stopped' and (s.read_until is null or s.read_until < now())
    order by s.read_until nulls first limit ${MOST.looked}::int`;
  const ofOwner = (ownerId: string) => held.filter(({ holder }) => holder.ownerId === ownerId).length;
  const [chosen] = free
    .filter(({ ownerId }) => ofOwner(ownerId) < MOST.ofOwner)
    .toSorted((a, b) => ofOwner(a.ownerId) - ofOwner(b.ownerId));
  if (chosen === undefined) return;
  await db.$executeRaw`
    update source set reader = ${reader}::uuid, read_until = now() + make_interval(secs => ${LEASE_SECONDS}::int)
    where id = ${chosen.id}::uuid and (read_until is null or read_until < now())`;
}

type Row = OwnLimits & {
  id: string;
  revision: string;
  config: SourceConfig;
  credentials: Record<string, string>;
  environmentId: string;
  workspaceId: string;
  ownerId: string;
  requireApplication: boolean;
};

/** The sources that this process is to read, as they are now. */
export async function readHeld(
  db: Db,
  reader: string,
  { keys, quotas }: { keys: SealingKeys; quotas: QuotaDefaults },
): Promise<SourceToRead[]> {
  const rows = await db.$queryRaw<Row[]>`
    select s.id, s.revision, s.config, s.credentials, s.environment_id as "environmentId", s.workspace_id as "workspaceId",
      coalesce(w.created_by, w.id) as "ownerId", e.require_application as "requireApplication", w.plan::text as plan,
      w.events_per_day as "eventsPerDay", w.bytes_kept as "bytesKept", w.attempt_bytes_kept as "attemptBytesKept"
    from source s join environment e on e.id = s.environment_id join workspace w on w.id = s.workspace_id
    where s.reader = ${reader}::uuid and s.read_until > now() and s.is_active and s.status <> 'stopped'
      and e.deleted_at is null`;
  return rows.map(({ id, revision, config, credentials, ...row }) => {
    const { environmentId, workspaceId, ownerId, requireApplication } = row;
    const holder = { environmentId, workspaceId, ownerId, requireApplication, limits: limitsOf(row, quotas) };
    return { id, revision, config, credentials: openAll(keys, id, credentials), holder };
  });
}

/** A credential that no key opens is left out: the brokers then refuse the source, and its health says so. */
function openAll(keys: SealingKeys, sourceId: string, sealed: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(sealed).flatMap(([name, value]) => {
      const opened = open(keys, Buffer.from(value, 'base64'), sealContext.sourceCredential(sourceId, name));
      return opened.kind === 'opened' ? [[name, opened.plaintext.toString()]] : [];
    }),
  );
}

/** Lets others take these sources at once. */
export async function release(db: Db, reader: string): Promise<void> {
  await db.$executeRaw`update source set read_until = null where reader = ${reader}::uuid and read_until > now()`;
}

const WAITING_SECONDS = 10;
const MOST_LOOKED = 20_000;

/** Of these workspaces those with a first attempt that has been due for ten seconds: they take no more from topics. */
export async function behind(db: Db, workspaceIds: readonly string[]): Promise<Set<string>> {
  if (workspaceIds.length === 0) return new Set();
  const rows = await db.$queryRaw<{ workspaceId: string }[]>`
    select distinct workspace_id as "workspaceId" from (
      select workspace_id, schedule_step, status from delivery
      where due_at is not null and due_at < now() - make_interval(secs => ${WAITING_SECONDS}::int)
      order by due_at limit ${MOST_LOOKED}::int) d
    where status = 'pending' and schedule_step = 0 and workspace_id = any(${workspaceIds}::uuid[])`;
  return new Set(rows.map(({ workspaceId }) => workspaceId));
}
