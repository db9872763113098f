import { createDeadlines, type Deadline } from '../deadline.ts';
import { ApiError, createApiError, OptionError } from '../errors.ts';
import { ALL_APPLICATIONS, type SendOptions } from '../ingestion.ts';
import { pause } from '../retries.ts';
import type { Database, Sql } from './sql.ts';

/** A client with payloads of any type: a row was checked when it was written. */
export type Sender = { events: { send(eventType: never, payload: never, options: SendOptions): Promise<unknown> } };

export type RelayOptions = {
  /** Ends the relay. The event that is being sent is given up, and the next relay sends it again. */
  signal?: AbortSignal | undefined;
  /** The time to wait when the outbox is empty, or after a failure. Default: 1,000. */
  pollMs?: number | undefined;
  /** Called when Posthorn refuses an event for good. Its row stays, with the reason in the column `refused`. */
  onRefused?: ((event: { id: string; eventType: string }, error: ApiError) => void) | undefined;
  /** Called when the database or Posthorn cannot be reached, or when the API key is refused. The relay tries again. */
  onError?: ((error: unknown) => void) | undefined;
};

const PAGE_ROWS = 50;
/** The time limit of a page. The next page sends its rest. Prisma ends a transaction a little later: see sql.ts. */
const PAGE_MS = 240_000;
/** The relays of one database take turns: only the holder of this lock sends. */
const LOCK = 5_703_104_267_129_001n;
/** With these statuses the event itself is wrong: Posthorn would refuse it each time. */
const FOR_GOOD = new Set([400, 404, 409, 413, 415, 422]);

/**
 * Sends the events of the outbox in the order of their positions, until the signal ends it. Any number of relays may
 * run: one of them works at a time. After a crash, the events whose rows are still there are sent again with the same
 * keys, so Posthorn accepts each only once.
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

/** Sends one page and returns how many rows are done. These rows stay done when a later row fails. */
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
      // A row of an earlier version may name no application.
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

/** The error, if Posthorn would refuse the event each time; undefined if a later try may succeed. */
function refusalOf(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) {
    return FOR_GOOD.has(error.status) && error.code !== 'unexpected_answer' ? error : undefined;
  }
  // The row has a value that no request can carry, such as a key with a space. It must not hold up the other rows.
  if (!(error instanceof OptionError) || error.option === 'apiKey') return undefined;
  const { message } = error;
  const none = { requestId: undefined, retryAfter: undefined, details: undefined };
  return createApiError({ status: 400, code: 'validation_error', message, ...none });
}

/** Decodes base64. Postgres breaks it into lines, and `atob` skips the breaks. */
function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
