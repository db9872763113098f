import { setTimeout as delay } from 'node:timers/promises';
import { ApiError } from '@posthorn/contract/api-error';
import type { Db } from '@posthorn/db/client';
import { compileSchema } from '@posthorn/json-schema/compile-schema';
import type { Schema, SchemaFault } from '@posthorn/json-schema/node';
import { faultOfWhole, findFaults } from '@posthorn/json-schema/run-schema';
import type { Claimant } from '@posthorn/runtime/gate';
import { LRUCache } from 'lru-cache';
import type { IngestGates } from './gates.ts';

/** An ingested payload, parsed once. */
export type JsonPayload = { isJson: true; value: unknown } | { isJson: false };

/**
 * A payload that is parsed only when its turn comes. In parsed form it takes over ten times the memory of its bytes.
 */
export type UnreadPayload = { bytes: number; read: () => JsonPayload };

/**
 * The faults of a payload according to its type's schema, at most 10; null if the type no longer has a schema. It reads
 * the payload in any case, and throws the error of `read`.
 */
export type PayloadCheck = (
  type: { ownerId: string; workspaceId: string; eventTypeId: string; schemaRevision: string },
  payload: UnreadPayload,
) => Promise<SchemaFault[] | null>;

/** The stored schema of an event type, and its revision. The document is null if there is no schema. */
type ReadSchema = (eventTypeId: string) => Promise<{ document: unknown; revision: string }>;

export function createSchemaReader(db: Pick<Db, 'eventType'>): ReadSchema {
  return async (id) => {
    const row = await db.eventType.findUnique({ where: { id }, select: { schema: true, schemaRevision: true } });
    return { document: row?.schema ?? null, revision: row?.schemaRevision ?? '' };
  };
}

/** The most characters of all cached schemas as JSON. Compiled schemas take some 30 times as much memory. */
const MAX_KEPT_CHARACTERS = 2 * 1024 * 1024;
/** An owner with many large schemas evicts its own, not those of other owners. */
const MAX_CHARACTERS_OF_OWNER = MAX_KEPT_CHARACTERS / 4;
/** The size of a cached schema in addition to its text. */
const CHARACTERS_OF_AN_ENTRY = 500;
const MAX_OWNERS = 1_000;
/**
 * The length of a pause, as a multiple of the work before it. All workspaces of an owner wait this long after a
 * compilation before the next one, and likewise after checks. So compilations and checks of one owner each take at most
 * a fifth of the process.
 */
const PAUSE = 4;
/**
 * The same multiple for each owner in a pause, if that is longer. So compilations and checks of all owners each take
 * less than half of the process.
 */
const PAUSE_FOR_EACH_OWNER = 2;
/** After checks of this total duration there is a pause. Most take a few hundredths of a millisecond each. */
const CHECKS_BEFORE_PAUSE_MS = 2;
/** The most bytes of an owner's payloads that wait for their checks. A payload has at most 1 MiB. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;

/** The cached schemas of one owner's workspaces. */
type Kept = {
  schemas: LRUCache<string, { schema: Schema; revision: string; characters: number }, Claimant>;
  waitingBytes: number;
  /** The duration of the checks since the last pause. */
  checkedMs: number;
  pause: Promise<unknown> | undefined;
};

type Seams = {
  /** Measures compilations, and checks including the parsing of payloads. */
  nowMs?: () => number;
  wait?: (ms: number) => Promise<unknown>;
};

/** Compiles a schema once for each revision, and caches it while it is used. */
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
        // A schema that is evicted while it compiles is still the answer for its waiters.
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
    // The schema changed after its revision was read. A failover may lose that change, so that the requested revision
    // is current again.
    if (found !== undefined && found.revision !== schemaRevision) kept.schemas.delete(key);
    if (found === undefined) {
      payload.read();
      return null;
    }
    if (kept.waitingBytes + payload.bytes > MAX_WAITING_BYTES) throw tooMuchWaits();
    kept.waitingBytes += payload.bytes;
    try {
      return await limits.checks.run(claimant, async () => {
        // Without the pause, a batch of slow checks would block the process for seconds.
        if (kept.pause !== undefined) await kept.pause;
        return check(kept, found.schema, payload);
      });
    } finally {
      kept.waitingBytes -= payload.bytes;
    }
  };
}

/** Makes the pause of an owner after work of this duration. It is longer the more owners are in a pause. */
function createPauses(wait: (ms: number) => Promise<unknown>): (tookMs: number) => Promise<void> {
  let owners = 0;
  return async (tookMs) => {
    owners += 1;
    await wait(tookMs * Math.max(PAUSE, PAUSE_FOR_EACH_OWNER * owners));
    owners -= 1;
  };
}

/** Compiles one schema at a time for an owner, with a pause after each, because compiling blocks the process. */
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
    // The schema was checked when it was stored.
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
