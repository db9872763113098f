import { eventTypeName } from '@posthorn/contract/event-types';
import { toId } from '@posthorn/contract/ids';
import type { SourceConfig, SourceTest } from '@posthorn/contract/sources';
import type { SealingKeys } from '@posthorn/crypto/seal';
import type { Db } from '@posthorn/db/client';
import type { Tools } from '@posthorn/destinations/kind';
import { loadReader, type OpenReader, type ReadRecord, type SourceReader } from '@posthorn/destinations/source-kind';
import { findRejection } from '@posthorn/ingest/accept-records';
import type { PrepareDeps } from '@posthorn/ingest/ingest';
import type { Sender } from '@posthorn/ingest/ingest-input';
import { openCredentials } from './leases.ts';
import { mapRecord } from './map-record.ts';

export type TestSourceDeps = {
  db: Db;
  keys: SealingKeys;
  tools: Pick<Tools, 'rules' | 'clock' | 'allowPlaintext'>;
  maxPayloadBytes: number;
  /** The checks that a reader makes. */
  prepare: PrepareDeps;
  /** Loads the library of the reader. A test may give another one. */
  load?: () => Promise<OpenReader>;
};

type Asked = { sourceId: string; workspaceId: string; endsByMs: number };

/** How far to look back, because the newest record may be aborted or a transaction marker. */
const LOOKED_BACK = 10n;
/** The time to leave for the reply. */
const REPLY_MS = 1_000;

/**
 * Connects to a source's brokers as a reader does, describes its topics, and says what one of the newest records
 * becomes. It moves nothing and stores nothing. Undefined if there is no such source.
 */
export async function testSource(deps: TestSourceDeps, asked: Asked): Promise<SourceTest | undefined> {
  const { db, keys, tools, load = loadReader } = deps;
  const row = await db.source.findFirst({
    where: { id: asked.sourceId, workspaceId: asked.workspaceId },
    include: { environment: { select: { requireApplication: true } }, workspace: { select: { createdBy: true } } },
  });
  if (row === null) return undefined;
  // Only the API writes these columns, and it has checked them.
  const [config, sealed] = [row.config as SourceConfig, row.credentials as Record<string, string>];
  const startedMs = tools.clock.monotonicMs();
  const openReader = await load();
  const found: Pick<SourceTest, 'topics' | 'record'> = { topics: [], record: null };
  const answer = (error: string | null): SourceTest => ({
    ...{ sourceId: toId('src', row.id), outcome: error === null ? 'success' : 'failure', error, ...found },
    durationMs: Math.round(tools.clock.monotonicMs() - startedMs),
  });
  let reader: SourceReader | undefined;
  // A cluster may answer each request slowly. Closing the reader ends its waits.
  const leftMs = Math.max(0, asked.endsByMs - REPLY_MS - tools.clock.now().getTime());
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    reader?.close();
  }, leftMs);
  try {
    const { rules, clock, allowPlaintext = false } = tools;
    const credentials = openCredentials(keys, row.id, sealed);
    reader = openReader({ settings: config, credentials, topics: config.topics, rules, clock, allowPlaintext });
    const { environmentId, workspaceId } = row;
    const ownerId = row.workspace.createdBy ?? workspaceId;
    const holder = { environmentId, workspaceId, ownerId, ...row.environment, limits: NO_LIMITS };
    await look(deps, { reader, config, holder, found });
    return answer(null);
  } catch (error) {
    if (isLate) return answer('The brokers have not answered in time');
    return answer(reader?.explain(error).message ?? 'The source cannot be opened');
  } finally {
    clearTimeout(timer);
    reader?.close();
  }
}

/** A test stores nothing, so it takes no room. */
const NO_LIMITS = { eventsPerDay: null, bytesKept: null, attemptBytesKept: null };

type Looking = {
  reader: SourceReader;
  config: SourceConfig;
  holder: Sender;
  found: Pick<SourceTest, 'topics' | 'record'>;
};

async function look(deps: TestSourceDeps, { reader, config, holder, found }: Looking): Promise<void> {
  for (const [topic, { partitions }] of await reader.describe()) {
    const [firsts, ends] = [await reader.offsetsAt(topic, 'earliest'), await reader.offsetsAt(topic, 'latest')];
    const sizes = ends.map((end, partition) => end - (firsts[partition] ?? end));
    found.topics.push({ name: topic, partitions, records: Number(sizes.reduce((sum, size) => sum + size, 0n)) });
    const partition = sizes.findIndex((size) => size > 0n);
    const end = ends[partition];
    if (found.record !== null || end === undefined) continue;
    const size = sizes[partition] ?? 0n;
    const offset = end - (size < LOOKED_BACK ? size : LOOKED_BACK);
    const [part] = await reader.fetch([{ topic, partition, offset }]);
    if (part?.fault !== undefined) throw part.fault;
    const record = part?.records.at(-1);
    if (record === undefined) continue;
    found.record = {
      ...{ topic, partition, offset: Number(record.offset), timestamp: record.at.toISOString() },
      ...{ size: record.value?.length ?? 0, ...(await meaningOf(deps, { record, config, holder })) },
    };
  }
}

async function meaningOf(
  { prepare, maxPayloadBytes }: TestSourceDeps,
  { record, config, holder }: { record: ReadRecord; config: SourceConfig; holder: Sender },
) {
  const mapped = mapRecord(record, { config, maxPayloadBytes });
  if (mapped === undefined) return { eventType: null, rejection: null };
  if (mapped.kind === 'rejected') return { eventType: null, rejection: mapped.message };
  const { target } = mapped.input;
  const name = eventTypeName.safeParse(target.kind === 'event_type' ? target.name : '');
  const rejection = await findRejection(prepare, { ...mapped.input, holder });
  return { eventType: name.success ? name.data : null, rejection };
}
