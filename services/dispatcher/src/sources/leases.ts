import type { SourceConfig } from '@posthorn/contract/sources';
import { sealContext } from '@posthorn/crypto/contexts';
import { open, type SealingKeys } from '@posthorn/crypto/seal';
import type { Db } from '@posthorn/db/client';
import { isHopeless } from '@posthorn/db/violations';
import { limitsOf, type OwnLimits, type QuotaDefaults } from '@posthorn/ingest/quota-limits';
import type { SourceReport, SourceToRead } from './read-source.ts';

// Decides which dispatcher reads a source. The lease only avoids duplicate work: the rows of a source fence what is
// stored.

/** Three rounds may fail before another process takes a source. */
const LEASE_SECONDS = 10;
const MOST = { ofProcess: 20, looked: 200 };
const NO_ROOM = 'Every dispatcher reads 20 sources already. The operator can run another one';

/** Whether there is any source to read, by any process. */
export async function anySource(db: Db): Promise<boolean> {
  const [row] = await db.$queryRaw<{ any: boolean }[]>`select exists(select from source where is_active) as any`;
  return row?.any === true;
}

type Reported = { id: string; revision: string; report: SourceReport };

/**
 * Writes what the readers have found, and keeps their leases. It marks a source whose trouble lasts, so that a trigger tells of
 * it, and takes the mark back. If Postgres refuses a value, each source is written by itself, and those that are refused are
 * answered: their leases end, and no other source is concerned.
 */
export async function renew(
  db: Db,
  reader: string,
  reports: readonly Reported[],
  now: Date,
): Promise<{ id: string; error: unknown }[]> {
  if (reports.length === 0) return [];
  try {
    await writeReports(db, reader, { reports, now });
    return [];
  } catch (error) {
    if (!isHopeless(error)) throw error;
  }
  const refused: { id: string; error: unknown }[] = [];
  for (const one of reports) {
    await writeReports(db, reader, { reports: [one], now }).catch((error: unknown) =>
      refused.push({ id: one.id, error }),
    );
  }
  return refused;
}

async function writeReports(
  db: Db,
  reader: string,
  { reports, now }: { reports: readonly Reported[]; now: Date },
): Promise<void> {
  const given = reports.map(({ id, revision, report }) => {
    const { status, error, lagRecords, lastRecordAt, rejected } = report;
    return {
      ...{ id, revision, status, error, rejected, ...troubleOf(report, now) },
      ...{ lag: lagRecords === null ? null : shownLag(lagRecords), last: lastRecordAt?.toISOString() ?? null },
    };
  });
  await db.$executeRaw`
    update source s set read_until = now() + make_interval(secs => ${LEASE_SECONDS}::int), lag_records = r.lag,
      last_record_at = coalesce(r.last, s.last_record_at), rejected = s.rejected + r.rejected,
      status = case when s.revision = r.revision then r.status else s.status end,
      error = case when s.revision = r.revision then r.error else s.error end,
      troubled_since = case when s.revision <> r.revision or r.trouble is null then s.troubled_since
        when r.trouble then coalesce(s.troubled_since, now()) end,
      is_trouble_told = case when s.revision <> r.revision or r.trouble is null then s.is_trouble_told
        else r.trouble and (s.is_trouble_told
          or coalesce(s.troubled_since, now()) <= now() - make_interval(secs => r.told_after)) end
    from json_to_recordset(${JSON.stringify(given)}::json) as r(id uuid, revision uuid, status text, error text, lag bigint,
      last timestamptz, rejected bigint, trouble boolean, told_after int)
    where s.id = r.id and s.reader = ${reader}::uuid`;
}

/** A broker may say anything about its ends. An answer shows no larger number. */
function shownLag(records: bigint): number {
  return Math.min(Number(records), Number.MAX_SAFE_INTEGER);
}

/** After how many seconds trouble is told of. Being behind begins when the newest record that was read is as old. */
const TOLD_AFTER = { stopped: 0, failing: 60, behind: 300 };

/** Whether a source is in trouble; null if that is not known yet. */
function troubleOf({ status, lagRecords, lastRecordAt }: SourceReport, now: Date) {
  const isBehind =
    lagRecords !== null &&
    lagRecords > 0n &&
    lastRecordAt !== null &&
    now.getTime() - lastRecordAt.getTime() >= TOLD_AFTER.behind * 1_000;
  const kind = status === 'stopped' || status === 'failing' ? status : isBehind ? 'behind' : undefined;
  if (kind !== undefined) return { trouble: true, told_after: TOLD_AFTER[kind] };
  return { trouble: status === 'starting' ? null : false, told_after: null };
}

/**
 * Takes a source that nobody reads, so that several processes divide them: one of the owner of whom this process reads fewest.
 * A process that reads as many as it can gives up one of the owner with most, if that makes the two more equal. Otherwise the
 * sources that wait say so. Whether it has taken one.
 */
export async function takeOne(db: Db, reader: string, held: readonly SourceToRead[]): Promise<boolean> {
  const free = await db.$queryRaw<{ id: string; ownerId: string }[]>`
    select id, "ownerId" from (
      select distinct on ("ownerId") s.id, s.read_until, coalesce(w.created_by, w.id) as "ownerId"
      from source s join workspace w on w.id = s.workspace_id
      where s.is_active and s.status <> 'stopped' and (s.read_until is null or s.read_until < now())
      order by "ownerId", s.read_until nulls first) f
    order by read_until nulls first limit ${MOST.looked}::int`;
  const ofOwner = (ownerId: string) => held.filter(({ holder }) => holder.ownerId === ownerId).length;
  const [chosen] = free.toSorted((a, b) => ofOwner(a.ownerId) - ofOwner(b.ownerId));
  if (chosen === undefined) return false;
  const isFull = held.length >= MOST.ofProcess;
  const [most] = isFull ? held.toSorted((a, b) => ofOwner(b.holder.ownerId) - ofOwner(a.holder.ownerId)) : [];
  if (most !== undefined && ofOwner(most.holder.ownerId) - ofOwner(chosen.ownerId) < 2) {
    await tellOfNoRoom(db);
    return false;
  }
  // In one statement: nothing is given up for a source that another process takes first.
  const [row] = await db.$queryRaw<{ count: number }[]>`
    with taken as (
      update source set reader = ${reader}::uuid, read_until = now() + make_interval(secs => ${LEASE_SECONDS}::int)
      where id = ${chosen.id}::uuid and is_active and status <> 'stopped' and (read_until is null or read_until < now())
      returning id
    ), given_up as (
      update source set read_until = null, reader = null
      where id = ${most?.id ?? null}::uuid and reader = ${reader}::uuid and exists (select from taken)
    )
    select count(*)::int as count from taken`;
  return row?.count === 1;
}

/** Of sources that have waited for some rounds of all processes. The first report of a reader takes it back. */
async function tellOfNoRoom(db: Db): Promise<void> {
  await db.$executeRaw`
    update source set error = ${NO_ROOM}
    where is_active and status = 'starting' and error is null
      and coalesce(read_until, updated_at) < now() - make_interval(secs => ${LEASE_SECONDS}::int)`;
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
  lastRecordAt: Date | null;
};

/** The sources that this process must read, as they are now. */
export async function readHeld(
  db: Db,
  reader: string,
  { keys, quotas }: { keys: SealingKeys; quotas: QuotaDefaults },
): Promise<SourceToRead[]> {
  const rows = await db.$queryRaw<Row[]>`
    select s.id, s.revision, s.config, s.credentials, s.last_record_at as "lastRecordAt", s.environment_id as "environmentId", s.workspace_id as "workspaceId",
      coalesce(w.created_by, w.id) as "ownerId", e.require_application as "requireApplication", w.plan::text as plan,
      w.events_per_day as "eventsPerDay", w.bytes_kept as "bytesKept", w.attempt_bytes_kept as "attemptBytesKept"
    from source s join environment e on e.id = s.environment_id join workspace w on w.id = s.workspace_id
    where s.reader = ${reader}::uuid and s.read_until > now() and s.is_active and s.status <> 'stopped'
      and e.deleted_at is null`;
  return rows.map(({ id, revision, config, credentials, lastRecordAt, ...row }) => {
    const { environmentId, workspaceId, ownerId, requireApplication } = row;
    const holder = { environmentId, workspaceId, ownerId, requireApplication, limits: limitsOf(row, quotas) };
    return { id, revision, config, credentials: openCredentials(keys, id, credentials), lastRecordAt, holder };
  });
}

/** Leaves out a credential that no key opens. The brokers then refuse the source, and its health says so. */
export function openCredentials(
  keys: SealingKeys,
  sourceId: string,
  sealed: Record<string, string>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(sealed).flatMap(([name, value]) => {
      const opened = open(keys, Buffer.from(value, 'base64'), sealContext.sourceCredential(sourceId, name));
      return opened.kind === 'opened' ? [[name, opened.plaintext.toString()]] : [];
    }),
  );
}

/** Lets other processes take these sources at once. */
export async function release(db: Db, reader: string): Promise<void> {
  await db.$executeRaw`update source set read_until = null where reader = ${reader}::uuid and read_until > now()`;
}
