import { setTimeout as delay } from 'node:timers/promises';
import { ApiError } from '@posthorn/contract/api-error';
import type { Db } from '@posthorn/db/client';
import { compileSchema } from '@posthorn/json-schema/compile-schema';
import type { Schema, SchemaFault } from '@posthorn/json-schema/node';
import { faultOfWhole, findFaults } from '@posthorn/json-schema/run-schema';
import type { Claimant } from '@posthorn/runtime/gate';
import { LRUCache } from 'lru-cache';
import type { IngestGates } from './gates.ts';

/** A payload of ingestion, parsed once. */
export type JsonPayload = { isJson: true; value: unknown } | { isJson: false };

/** A payload that is parsed when it is its turn: a parsed one takes over ten times the memory of its bytes. */
export type UnreadPayload = { bytes: number; read: () => JsonPayload };

/**
 * The faults of a payload by the schema of its type, at most 10; null when the type has no schema any more. It reads the
 * payload in any case, and throws the error of `read`.
 */
export type PayloadCheck = (
  type: { ownerId: string; workspaceId: string; eventTypeId: string; schemaRevision: string },
  payload: UnreadPayload,
) => Promise<SchemaFault[] | null>;

/** The schema of an event type as it is stored, and its revision; the document is null without a schema. */
type ReadSchema = (eventTypeId: string) => Promise<{ document: unknown; revision: string }>;

export function createSchemaReader(db: Pick<Db, 'eventType'>): ReadSchema {
  return async (id) => {
    const row = await db.eventType.findUnique({ where: { id }, select: { schema: true, schemaRevision: true } });
    return { document: row?.schema ?? null, revision: row?.schemaRevision ?? '' };
  };
}

/** The size of all kept schemas as JSON text: compiled they take some 30 times as much memory. */
const MAX_KEPT_CHARACTERS = 2 * 1024 * 1024;
/** An owner with many large schemas evicts its own schemas, not other owners' schemas. */
const MAX_CHARACTERS_OF_OWNER = MAX_KEPT_CHARACTERS / 4;
/** What a kept schema takes beside its text. */
const CHARACTERS_OF_AN_ENTRY = 500;
const MAX_OWNERS = 1_000;
/**
 * The workspaces of one owner together wait for this many times the duration of a compilation before the next one, and
 * of their checks before further checks: each of the two takes a fifth of the process at most.
 */
const PAUSE = 4;
/** For each owner that waits so, or that many times: all owners together take less than half of the process for each of the two. */
const PAUSE_FOR_EACH_OWNER = 2;
/** Checks that take this long together are followed by a pause. Most take a few hundredths of a millisecond each. */
const CHECKS_BEFORE_PAUSE_MS = 2;
/** The payloads of one owner that wait for their checks, as bytes. A payload has 1 MiB at most. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;

/** The schemas of the workspaces of one owner. */
type Kept = {
  schemas: LRUCache<string, { schema: Schema; revision: string; characters: number }, Claimant>;
  waitingBytes: number;
  /** The time that checks have taken since the last pause. */
  checkedMs: number;
  pause: Promise<unknown> | undefined;
};

type Seams = {
  /** Measures compilations, and checks with the parsing of what they check. */
  nowMs?: () => number;
  wait?: (ms: number) => Promise<unknown>;
};

/** Schemas are compiled once for each revision, and kept while they are used. */
export function createPayloadCheck(
  readSchema: ReadSchema,
  limits: Pick<IngestGates, 'checks' | 'compilations'>,
  { nowMs = () => performance.now(), wait = (ms) => delay(ms, undefined, { ref: false }) }: Seams = {},
): PayloadCheck {
  const [pauseOfChecks, pauseOfCompilations] = [createPauses(wait), createPauses(wait)];
  const owners = new LRUCache<string, Kept>({ max: MAX_OWNERS });
  const keptOf = (ownerId: string): Kept => {
    const known = owners.get(ownerId);
    if (known !== undefined) return known;
    const kept: Kept = {
      waitingBytes: 0,
      checkedMs: 0,
      pause: undefined,
      schemas: new LRUCache({
        maxSize: MAX_CHARACTERS_OF_OWNER,
        sizeCalculation: ({ characters }) => characters + CHARACTERS_OF_AN_ENTRY,
        // One that is evicted while it is compiled is still an answer to those that wait for it.
        ignoreFetchAbort: true,
        fetchMethod: (key, _stale, { context }) => {
          dropLeastUsed(owners);
          return compileInTurn(limits, context, { nowMs, pause: pauseOfCompilations }, () =>
            readSchema(key.slice(0, key.indexOf(' '))),
          );
        },
      }),
    };
    owners.set(ownerId, kept);
    return kept;
  };
  const check = (kept: Kept, schema: Schema, payload: UnreadPayload) => {
    const startedMs = nowMs();
    try {
      const read = payload.read();
      return read.isJson ? findFaults(schema, read.value) : [faultOfWhole('The payload must be JSON')];
    } finally {
      kept.checkedMs += nowMs() - startedMs;
      if (kept.checkedMs >= CHECKS_BEFORE_PAUSE_MS) {
        kept.pause = pauseOfChecks(kept.checkedMs).then(() => {
          kept.pause = undefined;
        });
        kept.checkedMs = 0;
      }
    }
  };
  return async ({ ownerId, workspaceId, eventTypeId, schemaRevision }, payload) => {
    const kept = keptOf(ownerId);
    const claimant = { ownerId, workspaceId };
    const key = `${eventTypeId} ${schemaRevision}`;
    const found = await kept.schemas.fetch(key, { context: claimant });
    // It was changed after its revision was read. A failover may lose that change, and the asked revision is back.
    if (found !== undefined && found.revision !== schemaRevision) kept.schemas.delete(key);
    if (found === undefined) {
      payload.read();
      return null;
    }
    if (kept.waitingBytes + payload.bytes > MAX_WAITING_BYTES) throw tooMuchWaits();
    kept.waitingBytes += payload.bytes;
    try {
      return await limits.checks.run(claimant, async () => {
        // Otherwise a batch of slow checks would hold the process for seconds.
        if (kept.pause !== undefined) await kept.pause;
        return check(kept, found.schema, payload);
      });
    } finally {
      kept.waitingBytes -= payload.bytes;
    }
  };
}

/** The pause of an owner after work that took so long. The more owners are in a pause, the longer it is. */
function createPauses(wait: (ms: number) => Promise<unknown>): (tookMs: number) => Promise<void> {
  let owners = 0;
  return async (tookMs) => {
    owners += 1;
    await wait(tookMs * Math.max(PAUSE, PAUSE_FOR_EACH_OWNER * owners));
    owners -= 1;
  };
}

/** One at a time for an owner, with a pause after each: compiling holds the process. */
async function compileInTurn(
  limits: Pick<IngestGates, 'compilations'>,
  claimant: Claimant,
  { nowMs, pause }: { nowMs: () => number; pause: (tookMs: number) => Promise<void> },
  read: () => ReturnType<ReadSchema>,
) {
  await limits.compilations.enter(claimant);
  let tookMs = 0;
  try {
    const { document, revision } = await read();
    if (document === null) return undefined;
    const startedMs = nowMs();
    const result = compileSchema(document);
    tookMs = nowMs() - startedMs;
    // It was checked when it was stored.
    if (result.kind === 'invalid') throw new Error(`a stored schema cannot be compiled: ${result.path} ${result.rule}`);
    return { schema: result.schema, revision, characters: JSON.stringify(document).length };
  } finally {
    void pause(tookMs).then(() => limits.compilations.leave(claimant));
  }
}

function tooMuchWaits(): ApiError {
  const message = 'Too many payloads of this workspace take long to check; try again';
  return new ApiError('unavailable', message, { 'Retry-After': '1' });
}

/** Drops the schemas of the owners that have used theirs least recently. */
function dropLeastUsed(owners: LRUCache<string, Kept>): void {
  let characters = 0;
  for (const { schemas } of owners.values()) characters += schemas.calculatedSize;
  while (characters > MAX_KEPT_CHARACTERS) characters -= owners.pop()?.schemas.calculatedSize ?? characters;
}
