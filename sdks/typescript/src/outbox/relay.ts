import { createDeadlines, type Deadline } from '../deadline.ts';
import { ApiError, createApiError, OptionError } from '../errors.ts';
import { ALL_APPLICATIONS, type SendOptions } from '../ingestion.ts';
import { pause } from '../retries.ts';
import type { Database, Sql } from './sql.ts';

/** A client, whatever payloads it takes: a row was checked when it was written. */
export type Sender = { events: { send(eventType: never, payload: never, options: SendOptions): Promise<unknown> } };

export type RelayOptions = {
  /** Ends the relay: what is being sent is given up, and sent again by the next relay. */
  signal?: AbortSignal | undefined;
  /** How long to wait when the outbox is empty, or after a failure. 1,000 unless another number is given. */
  pollMs?: number | undefined;
  /** An event that Posthorn refuses for good. Its row stays, with the reason in `refused`. */
  onRefused?: ((event: { id: string; eventType: string }, error: ApiError) => void) | undefined;
  /** The database or Posthorn cannot be reached, or the API key is refused. The relay tries again. */
  onError?: ((error: unknown) => void) | undefined;
};

const PAGE_ROWS = 50;
/** If a page takes longer, its rest is sent with the next page. Prisma ends a transaction a little later: see sql.ts. */
const PAGE_MS = 240_000;
/** The relays of one database take turns: only the holder of this lock sends. */
const LOCK = 5_703_104_267_129_001n;
/** The event itself is wrong: it would be refused each time. */
const FOR_GOOD = new Set([400, 404, 409, 413, 415, 422]);

/**
 * Sends the events of the outbox in the order of their positions, until the signal ends it. Any number of relays may run:
 * one of them works. After a crash the events whose rows are still there are sent again, under the same keys, so Posthorn
 * accepts each once.
 */
export async function relay(database: Database, posthorn: Sender, options: RelayOptions = {}): Promise<void> {
  const { signal, pollMs = 1_000, onError } = options;
  while (!signal?.aborted) {
    const sent = await relayPage(database, posthorn, options).catch((error: unknown) => {
      if (!signal?.aborted) onError?.(error);
      return 0;
    });
    if (sent === 0) await pause(pollMs, signal).catch(() => undefined);
  }
}

type Row = { id: string; event_type: string; payload: string; content_type: string; options: string };

/** Sends one page, and answers how many rows are done. What is done stays done when a later row fails. */
export async function relayPage(database: Database, posthorn: Sender, options: RelayOptions = {}): Promise<number> {
  const { done, failure } = await database.transaction(async (sql) => {
    const [lock] = await sql`SELECT pg_try_advisory_xact_lock(${String(LOCK)}::text::bigint) AS held`;
    const rows = lock?.held === true ? await readPage(sql) : [];
    const deadline = createDeadlines().start(PAGE_MS, options.signal);
    let done = 0;
    try {
      for (const row of rows) {
        const failure = await sendRow(sql, posthorn, row, deadline, options);
        if (failure !== undefined) return { done, failure };
        done += 1;
      }
    } finally {
      deadline.end();
    }
    return { done, failure: undefined };
  });
  if (failure !== undefined) throw failure.error;
  return done;
}

async function readPage(sql: Sql): Promise<Row[]> {
  const rows = await sql`
    SELECT id, event_type, encode(payload, 'base64') AS payload, content_type, options::text AS options
    FROM posthorn_outbox WHERE refused IS NULL ORDER BY position LIMIT ${PAGE_ROWS}::int`;
  return rows as Row[];
}

async function sendRow(
  sql: Sql,
  posthorn: Sender,
  row: Row,
  { signal, explain }: Deadline,
  { onRefused }: RelayOptions,
) {
  try {
    await posthorn.events.send(row.event_type as never, fromBase64(row.payload) as never, {
      // A row that an earlier version wrote may name no application.
      application: ALL_APPLICATIONS,
      ...JSON.parse(row.options),
      contentType: row.content_type,
      idempotencyKey: row.id,
      signal,
    });
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === undefined) return { error: signal.aborted ? explain(error) : error };
    await sql`UPDATE posthorn_outbox SET refused = ${`${refusal.code}: ${refusal.message}`} WHERE id = ${row.id}`;
    onRefused?.({ id: row.id, eventType: row.event_type }, refusal);
    return undefined;
  }
  await sql`DELETE FROM posthorn_outbox WHERE id = ${row.id}`;
  return undefined;
}

/** Why an event would be refused each time; undefined where a later try may succeed. */
function refusalOf(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) {
    return FOR_GOOD.has(error.status) && error.code !== 'unexpected_answer' ? error : undefined;
  }
  // The row has what no request can carry, such as a key with a space: it must not hold up the others.
  if (!(error instanceof OptionError) || error.option === 'apiKey') return undefined;
  const { message } = error;
  const none = { requestId: undefined, retryAfter: undefined, details: undefined };
  return createApiError({ status: 400, code: 'validation_error', message, ...none });
}

/** Postgres breaks base64 into lines, which `atob` skips. */
function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
