import type { SourceConfig } from '@posthorn/contract/sources';
import type { Db } from '@posthorn/db/client';
import type { ReadPart, SourceReader } from '@posthorn/destinations/source-kind';
import type { Accepted, RecordBatch } from '@posthorn/ingest/accept-records';
import type { Clock } from '@posthorn/runtime/clock';
import type { Gate } from '@posthorn/runtime/gate';
import type { Brake } from './brake.ts';
import { mapRecord } from './map-record.ts';
import {
  createStuckPartitions,
  nameOf,
  type Places,
  type SourcePlace,
  type StuckPartitions,
} from './stuck-partitions.ts';

/** A source as its reader knows it. */
export type SourceToRead = {
  id: string;
  revision: string;
  config: SourceConfig;
  credentials: Record<string, string>;
  /** As the last reader reported it. */
  lastRecordAt: Date | null;
  holder: RecordBatch['source']['holder'];
};

/** The findings of a reader. They are written when the lease is next renewed. */
export type SourceReport = {
  status: 'starting' | 'running' | 'paused' | 'quota' | 'failing' | 'stopped';
  error: string | null;
  lagRecords: bigint | null;
  lastRecordAt: Date | null;
  /** The number of records since the last report. */
  rejected: number;
};

export type ReadSourceDeps = {
  db: Db;
  open: (source: SourceToRead) => SourceReader;
  accept: (batch: RecordBatch) => Promise<Accepted>;
  /** Limits concurrent fetches. A turn stands for the memory that a fetch may take. */
  turns: Gate;
  maxPayloadBytes: number;
  /** Waits for this time. Ends early if the signal is aborted. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>;
  clock: Pick<Clock, 'now' | 'monotonicMs'>;
  /** Is told of a fault of the stores. */
  onFault: (source: SourceToRead, error: unknown) => void;
};

type SourceBrake = Pick<Brake, 'holds' | 'count'>;

/** The most records, and bytes of values, in one batch. */
const BATCH = { records: 500, bytes: 4 * 1024 * 1024 };
/** How often to look for new partitions. */
const DESCRIBE_MS = 5 * 60_000;
const retryMs = (faults: number) => Math.min(60_000, 1_000 * 2 ** (faults - 1));
const QUOTA_MS = 10_000;
const PAUSE_MS = 1_000;
/** A broker waits where nothing is there. One that does not, or limits the rate, is not asked again at once. */
const EMPTY_MS = 100;
const REOPEN_MS = 200;

/**
 * Reads a source until `signal` is aborted, and keeps `report` up to date. It opens the topics where the rows say, again after
 * every fault, and stores nothing unless the rows are still there (docs/adr/0022). Never rejects: whatever a record or a broker
 * brings about ends here, as the state of this source alone.
 */
export async function readSource(
  deps: ReadSourceDeps,
  source: SourceToRead,
  { report, brake, signal }: { report: SourceReport; brake: SourceBrake; signal: AbortSignal },
): Promise<void> {
  const isStopped = () => report.status === 'stopped';
  const stuck = createStuckPartitions(retryMs);
  for (let faults = 0; !signal.aborted && !isStopped(); ) {
    let reader: SourceReader | undefined;
    try {
      reader = deps.open(source);
      await readOn(deps, source, { reader, report, brake, stuck, signal, onProgress: () => (faults = 0) });
    } catch (error) {
      faults += 1;
      Object.assign(report, reportOf(error, reader));
      if (error instanceof NotStored) deps.onFault(source, error.cause);
    } finally {
      reader?.close();
    }
    if (!isStopped()) await deps.wait(faults === 0 ? REOPEN_MS : retryMs(faults), signal);
  }
}

/** Thrown to stop the source. Reading goes on only after a change of the source. */
class Stopped extends Error {
  override name = 'Stopped';
}

function reportOf(error: unknown, reader: SourceReader | undefined): Pick<SourceReport, 'status' | 'error'> {
  if (error instanceof Stopped) return { status: 'stopped', error: error.message };
  if (error instanceof NotStored) return { status: 'failing', error: error.message };
  return { status: 'failing', error: reader?.explain(error).message ?? 'The source cannot be opened' };
}

type Reading = {
  reader: SourceReader;
  report: SourceReport;
  brake: SourceBrake;
  stuck: StuckPartitions;
  signal: AbortSignal;
  onProgress: () => void;
};

/** Returns when the rows have moved, so that the source is opened again. */
async function readOn(deps: ReadSourceDeps, source: SourceToRead, reading: Reading): Promise<void> {
  const { reader, report, brake, stuck, signal } = reading;
  const { monotonicMs } = deps.clock;
  const places = await openPlaces(deps, source, reader);
  // All partitions are being moved to a time at this moment.
  if (places.size === 0) return;
  stuck.compare(places);
  const describedMs = monotonicMs();
  const ends = new Map<string, bigint>();
  const { ownerId, workspaceId } = source.holder;
  while (!signal.aborted && !reader.isBroken()) {
    const nowMs = monotonicMs();
    if (nowMs - describedMs >= DESCRIBE_MS) return;
    if (brake.holds(workspaceId)) {
      Object.assign(report, stuck.stateOr({ status: 'paused', error: null }));
      await deps.wait(PAUSE_MS, signal);
      continue;
    }
    const asked = stuck.leaveOut(places, nowMs);
    if (asked.length === 0) {
      Object.assign(report, stuck.stateOr(RUNNING));
      await deps.wait(stuck.untilMs() - nowMs, signal);
      continue;
    }
    const outcome = await deps.turns.run({ ownerId, workspaceId }, () =>
      fetchOnce(deps, source, reading, { asked, places }),
    );
    for (const part of outcome.parts) ends.set(nameOf(part), part.end);
    stuck.note(outcome.parts, places, monotonicMs());
    report.lagRecords = lagOf(places, ends);
    const stop = outcome.settled.find((one) => one.kind === 'stopped');
    if (stop?.kind === 'stopped') throw new Stopped(stop.message);
    if (outcome.settled.some(({ kind }) => kind === 'elsewhere')) return;
    Object.assign(report, stuck.stateOr(outcome.state));
    reading.onProgress();
    if (outcome.waitMs > 0) await deps.wait(outcome.waitMs, signal);
  }
}

const RUNNING = { status: 'running', error: null } as const;

type Asking = { asked: SourcePlace[]; places: Places };

/** Reads these places once, and stores what is there. `waitMs` is the time until the next fetch. */
async function fetchOnce(deps: ReadSourceDeps, source: SourceToRead, reading: Reading, { asked, places }: Asking) {
  const { monotonicMs } = deps.clock;
  const { reader, report, brake } = reading;
  const askedMs = monotonicMs();
  const parts = await reader.fetch(asked);
  const waitMs = parts.some(({ from, next }) => next > from) ? 0 : askedMs + EMPTY_MS - monotonicMs();
  const settled = await Promise.all(parts.map((part) => acceptPart(deps, source, { part, places, report, brake })));
  const full = settled.find((one) => one.kind === 'full');
  if (full === undefined) return { parts, settled, state: RUNNING, waitMs };
  return { parts, settled, state: { status: 'quota', error: full.message } as const, waitMs: QUOTA_MS };
}

/** A fetch does not bring something for every partition, so this sums over all known ends. */
function lagOf(places: Places, ends: ReadonlyMap<string, bigint>): bigint {
  return [...ends].reduce((sum, [name, end]) => {
    const at = places.get(name)?.offset ?? end;
    return sum + (end > at ? end - at : 0n);
  }, 0n);
}

/** Stores the records of one partition in batches, one after the other. Returns the last outcome. */
async function acceptPart(
  deps: ReadSourceDeps,
  source: SourceToRead,
  { part, places, report, brake }: { part: ReadPart; places: Places; report: SourceReport; brake: SourceBrake },
): Promise<Accepted> {
  const { topic, partition } = part;
  const name = nameOf(part);
  const { config, id, revision, holder } = source;
  const of = { id, revision, holder, stopsOnError: config.onError === 'stop' };
  let from = part.from;
  let outcome: Accepted = { kind: 'moved', next: from, rejected: 0, waiting: 0 };
  for (const { records, to } of batchesOf(part)) {
    // The remaining records are fetched again later.
    if (brake.holds(holder.workspaceId)) return outcome;
    const mapped = records.flatMap((one) => mapRecord(one, { config, maxPayloadBytes: deps.maxPayloadBytes }) ?? []);
    outcome = await ours(deps.accept({ source: of, topic, partition, from, to, records: mapped }));
    if (outcome.kind !== 'moved') return outcome;
    report.rejected += outcome.rejected;
    brake.count(holder.workspaceId, outcome.waiting);
    noteLast(report, records.at(-1)?.at, deps.clock.now());
    from = outcome.next;
    // Behind the others: a fetch may have room for the first ones only.
    places.delete(name);
    places.set(name, { topic, partition, offset: from });
    // The quota left no room for the rest, or the source stops there: the next fetch says why.
    if (from < to) return outcome;
  }
  return outcome;
}

/** A record that says it is of later counts as of now. Otherwise one such record would hide for years that the source is behind. */
function noteLast(report: SourceReport, given: Date | undefined, now: Date): void {
  if (given === undefined) return;
  const last = given > now ? now : given;
  if (report.lastRecordAt === null || last > report.lastRecordAt) report.lastRecordAt = last;
}

/** The records in batches; the last one reaches behind everything that was read. */
function* batchesOf({ records, from, next }: ReadPart): Generator<{ records: ReadPart['records']; to: bigint }> {
  if (next === from) return;
  let begin = 0;
  while (begin < records.length) {
    let end = begin;
    for (let bytes = 0; end < records.length && end - begin < BATCH.records; end += 1) {
      bytes += records[end]?.value?.length ?? 0;
      if (bytes > BATCH.bytes && end > begin) break;
    }
    const batch = records.slice(begin, end);
    begin = end;
    const following = records[end];
    yield { records: batch, to: following === undefined ? next : following.offset };
  }
  if (records.length === 0) yield { records, to: next };
}

/** The place from which each partition continues. */
async function openPlaces(deps: Pick<ReadSourceDeps, 'db'>, source: SourceToRead, reader: SourceReader) {
  const places: Places = new Map();
  const described = await reader.describe();
  for (const [topic, { id: topicId, partitions }] of described) {
    await writePlaces(deps, source, { reader, topic, topicId, partitions });
    const [firsts, ends] = [await reader.offsetsAt(topic, 'earliest'), await reader.offsetsAt(topic, 'latest')];
    const rows = await ours(deps.db.sourcePlace.findMany({ where: { sourceId: source.id, topic } }));
    for (const { partition, nextOffset: offset, ...row } of rows) {
      // Without an offset, the partition is being moved to a time at this moment.
      if (offset === null || partition >= partitions) continue;
      const [first = 0n, end = 0n] = [firsts[partition], ends[partition]];
      const isAnew = row.topicId !== null && row.topicId !== topicId;
      if (isAnew || offset < first || offset > end) {
        const what = isAnew
          ? `the topic ${topic} was made anew`
          : `the next record was ${topic}/${partition}/${offset}`;
        throw new Stopped(`offset_lost: ${what}; there are ${first} to ${end - 1n}. Seek to go on`);
      }
      places.set(nameOf({ topic, partition }), { topic, partition, offset });
    }
  }
  return places;
}

type Opening = { reader: SourceReader; topic: string; topicId: string; partitions: number };

/** Writes rows for new partitions, and the offsets of partitions that must move to a time. */
async function writePlaces(
  { db }: Pick<ReadSourceDeps, 'db'>,
  source: SourceToRead,
  { reader, topic, topicId, partitions }: Opening,
): Promise<void> {
  const where = { sourceId: source.id, topic };
  const known = await ours(db.sourcePlace.findMany({ where, select: { partition: true, startAt: true } }));
  const present = new Set(known.map(({ partition }) => partition));
  const added = Array.from({ length: partitions }, (_, one) => one).filter((one) => !present.has(one));
  if (added.length > 0) {
    // A partition that is added to a topic is read from its beginning.
    const offsets = await reader.offsetsAt(topic, known.length === 0 ? pointOf(source.config.start) : 'earliest');
    const data = added.map((partition) => ({ ...where, partition, topicId, nextOffset: offsets[partition] ?? 0n }));
    // In one statement, so that even after a crash all of them begin at the same point.
    await ours(db.sourcePlace.createMany({ data, skipDuplicates: true }));
  }
  // Usually all of them go to the same time.
  const found = new Map<string, bigint[]>();
  for (const { partition, startAt } of known) {
    if (startAt === null) continue;
    const offsets = found.get(startAt) ?? (await reader.offsetsAt(topic, pointOf(startAt)));
    found.set(startAt, offsets);
    const data = { topicId, nextOffset: offsets[partition] ?? 0n, startAt: null };
    await ours(db.sourcePlace.updateMany({ where: { ...where, partition, startAt }, data }));
  }
}

/** A fault of Postgres, not of the brokers. */
class NotStored extends Error {
  override name = 'NotStored';
}

function ours<Result>(work: Promise<Result>): Promise<Result> {
  return work.catch((cause: unknown) => {
    throw new NotStored('Events cannot be stored now', { cause });
  });
}

function pointOf(start: string): Date | 'earliest' | 'latest' {
  return start === 'earliest' || start === 'latest' ? start : new Date(start);
}
