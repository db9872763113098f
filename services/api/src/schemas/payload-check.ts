import { setTimeout as delay } from 'node:timers/promises';
import type { Db } from '@posthorn/db/client';
import { createTurns, type Turns } from '@posthorn/runtime/turns';
import { LRUCache } from 'lru-cache';
import { ApiError } from '../http/error.ts';
import { compileSchema } from './compile-schema.ts';
import type { Schema } from './node.ts';
import { checkValue } from './run-schema.ts';

/** A payload of ingestion, parsed once. */
export type JsonPayload = { isJson: true; value: unknown } | { isJson: false };

/** A payload that is parsed when it is its turn: a parsed one takes over ten times the memory of its bytes. */
export type UnreadPayload = { bytes: number; read: () => JsonPayload };

/**
 * The faults of a payload by the schema of its type, at most 10; null when the type has no schema any more. It reads the
 * payload in any case, and throws the error of `read`.
 */
export type PayloadCheck = (
  type: { workspaceId: string; eventTypeId: string; schemaRevision: string },
  payload: UnreadPayload,
) => Promise<string[] | null>;

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
/** So that a workspace with many large schemas drops its own, and not those of others. */
const MAX_CHARACTERS_OF_WORKSPACE = MAX_KEPT_CHARACTERS / 4;
/** What a kept schema takes beside its text. */
const CHARACTERS_OF_AN_ENTRY = 500;
const MAX_WORKSPACES = 1_000;
/**
 * A workspace waits for this many times the duration of a compilation before the next one, and of its checks before
 * further checks: each of the two takes a fifth of the process at most.
 */
const PAUSE = 4;
/** Checks that take this long together are followed by a pause. Most take a few hundredths of a millisecond each. */
const CHECKS_BEFORE_PAUSE_MS = 2;
/** The slowest checks take 35 ms. With their pauses, some 30 are made within the longest wait. */
const CHECKS = { atOnce: 1, mostWaiting: 1_000, longestWaitMs: 5_000, refusal: tooManyChecks };
/** The payloads of a workspace that wait for their checks, as bytes. A payload has 1 MiB at most. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;

/** The schemas of a workspace that may wait to be compiled: some seconds of work, for which events wait in memory. */
const MAX_WAITING = 20;

/** The schemas of one workspace; `turn` resolves when the next may be compiled, after `waiting` others. */
type Kept = {
  schemas: LRUCache<string, { schema: Schema; revision: string; characters: number }>;
  turn: Promise<unknown>;
  waiting: number;
  /** The turns of checks while a pause follows earlier ones. */
  checks: Turns;
  waitingBytes: number;
  /** The time that checks have taken since the last pause. */
  checkedMs: number;
  pause: Promise<unknown> | undefined;
};

/** Schemas are compiled once for each revision, and kept while they are used. `nowMs` measures checks. */
export function createPayloadCheck(readSchema: ReadSchema, nowMs = () => performance.now()): PayloadCheck {
  const workspaces = new LRUCache<string, Kept>({ max: MAX_WORKSPACES });
  const keptOf = (workspaceId: string): Kept => {
    const known = workspaces.get(workspaceId);
    if (known !== undefined) return known;
    const kept: Kept = {
      turn: Promise.resolve(),
      waiting: 0,
      checks: createTurns(CHECKS),
      waitingBytes: 0,
      checkedMs: 0,
      pause: undefined,
      schemas: new LRUCache({
        maxSize: MAX_CHARACTERS_OF_WORKSPACE,
        sizeCalculation: ({ characters }) => characters + CHARACTERS_OF_AN_ENTRY,
        // One that is evicted while it is compiled is still an answer to those that wait for it.
        ignoreFetchAbort: true,
        fetchMethod: (key) => {
          dropLeastUsed(workspaces);
          return compileInTurn(kept, () => readSchema(key.slice(0, key.indexOf(' '))));
        },
      }),
    };
    workspaces.set(workspaceId, kept);
    return kept;
  };
  const check = (kept: Kept, schema: Schema, payload: JsonPayload) => {
    if (!payload.isJson) return ['The payload must be JSON'];
    const startedMs = nowMs();
    const errors = checkValue(schema, payload.value);
    pauseAfter(kept, nowMs() - startedMs);
    return errors;
  };
  return async ({ workspaceId, eventTypeId, schemaRevision }, payload) => {
    const kept = keptOf(workspaceId);
    const key = `${eventTypeId} ${schemaRevision}`;
    const found = await kept.schemas.fetch(key);
    // It was changed after its revision was read. A failover may lose that change, and the asked revision is back.
    if (found !== undefined && found.revision !== schemaRevision) kept.schemas.delete(key);
    if (found !== undefined) return checkInTurn(kept, payload, () => check(kept, found.schema, payload.read()));
    payload.read();
    return null;
  };
}

/**
 * Checks at once, unless a pause follows earlier checks of the workspace. Otherwise a batch of slow checks would hold the
 * process for seconds. `unavailable` when too much waits, or when it has waited for 5 s.
 */
async function checkInTurn(kept: Kept, { bytes }: UnreadPayload, check: () => string[]): Promise<string[]> {
  if (kept.pause === undefined && kept.checks.isIdle()) return check();
  if (kept.waitingBytes + bytes > MAX_WAITING_BYTES) throw tooManyChecks();
  kept.waitingBytes += bytes;
  try {
    return await kept.checks.run(async () => {
      await kept.pause;
      return check();
    });
  } finally {
    kept.waitingBytes -= bytes;
  }
}

function pauseAfter(kept: Kept, tookMs: number): void {
  kept.checkedMs += tookMs;
  if (kept.checkedMs < CHECKS_BEFORE_PAUSE_MS) return;
  kept.pause = delay(kept.checkedMs * PAUSE, undefined, { ref: false }).then(() => {
    kept.pause = undefined;
  });
  kept.checkedMs = 0;
}

/**
 * One at a time for a workspace, with a pause after each: compiling holds the process. `unavailable` while too many wait.
 */
async function compileInTurn(kept: Kept, read: () => ReturnType<ReadSchema>) {
  if (kept.waiting >= MAX_WAITING) throw tooManySchemas();
  kept.waiting += 1;
  const compiled = kept.turn.then(async () => {
    const { document, revision } = await read();
    if (document === null) return { found: undefined, tookMs: 0 };
    const startedMs = performance.now();
    const result = compileSchema(document);
    // It was checked when it was stored.
    if (result.kind === 'invalid') throw new Error(`a stored schema cannot be compiled: ${result.path} ${result.rule}`);
    const found = { schema: result.schema, revision, characters: JSON.stringify(document).length };
    return { found, tookMs: performance.now() - startedMs };
  });
  kept.turn = compiled.then(
    ({ tookMs }) => delay(tookMs * PAUSE, undefined, { ref: false }),
    () => undefined,
  );
  try {
    return (await compiled).found;
  } finally {
    kept.waiting -= 1;
  }
}

function tooManySchemas(): ApiError {
  const message = 'Too many schemas of this workspace are needed at once; try again';
  return new ApiError('unavailable', message, { 'Retry-After': '1' });
}

function tooManyChecks(): ApiError {
  const message = 'Too many payloads of this workspace take long to check; try again';
  return new ApiError('unavailable', message, { 'Retry-After': '1' });
}

/** Drops the schemas of the workspaces that have used theirs least recently. */
function dropLeastUsed(workspaces: LRUCache<string, Kept>): void {
  let characters = 0;
  for (const { schemas } of workspaces.values()) characters += schemas.calculatedSize;
  while (characters > MAX_KEPT_CHARACTERS) characters -= workspaces.pop()?.schemas.calculatedSize ?? characters;
}
