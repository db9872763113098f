import { fromId, newUuid } from '@posthorn/contract/ids';
import { sealContext } from '@posthorn/crypto/contexts';
import { parseSealingKeys, seal } from '@posthorn/crypto/seal';
import { withConnection } from '@posthorn/db/connection';
import { ensurePartitions } from '@posthorn/db/partitions';
import type pg from 'pg';
import { now } from './load.ts';
import { BODY } from './management.ts';
import type { Stack } from './stack.ts';

const CHUNK = 2_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export type Backlog = {
  endpointIds: readonly string[];
  rows: number;
  /** How many deliveries have a body: those that are due first. The others only make the backlog large. */
  withBody: number;
  /**
   * The deliveries wait in the lines of their endpoints, as behind a rate limit: due 5,000
   * years ahead (ledger/src/line.ts).
   */
  inLine?: boolean;
};

/**
 * Inserts waiting deliveries and their events directly into the tables. All are due, with due times spread over the
 * last hour, as after an outage of an hour; the endpoints are used in rotation.
 */
export async function insertBacklog(
  stack: Stack,
  { endpointIds, rows, withBody, inLine = false }: Backlog,
): Promise<void> {
  const keys = parseSealingKeys(stack.sealingKeys);
  const startAt = now() - HOUR_MS;
  await withConnection(stack.databaseUrl, async (connection) => {
    // Rows drained from an earlier backlog must not add to the cost of this one.
    await connection.query('vacuum delivery, event, attempt, pending_fan_out');
    for (let done = 0; done < withBody; done += CHUNK) {
      const ids = Array.from({ length: Math.min(CHUNK, withBody - done) }, () => newUuid(new Date()));
      const payloads = ids.map((id) => seal(keys, Buffer.from(BODY), sealContext.payload(id)));
      await insertEvents(connection, stack, { ids, payloads });
    }
    await connection.query(
      `insert into event (id, workspace_id, environment_id, event_type, payload_size, published)
       select ${keyAt('$4::float8 + n * 0.1')}, $1, $2, 'bench.backlog', 0, true from generate_series(1, $3::int) n`,
      [...placeOf(stack), Math.max(0, rows - withBody), now() - HOUR_MS / 2],
    );
    await connection.query(
      `insert into delivery (id, event_id, endpoint_id, workspace_id, environment_id, event_type, due_at)
       select id, id, ($3::uuid[])[1 + n % array_length($3::uuid[], 1)], $1, $2, 'bench.backlog',
         to_timestamp($4::float8 / 1000) + n * interval '1 hour' / $5::float8
           + case when $6 then interval '1826250 days' else interval '0' end
       from (select id, row_number() over (order by payload is null, id) as n from event
         where not exists (select from delivery d where d.id = event.id)) as waiting`,
      [...placeOf(stack), endpointIds.map((id) => fromId('ep', id)), startAt, rows, inLine],
    );
    if (inLine)
      await connection.query(
        `insert into endpoint_line (endpoint_id, workspace_id, next_at) select id, $1, now() from unnest($2::uuid[]) as given(id)`,
        [fromId('ws', stack.workspaceId), endpointIds.map((id) => fromId('ep', id))],
      );
    await connection.query('analyze delivery, event');
    await connection.query('checkpoint');
  });
}

/** Inserts dead letters of one endpoint, with their events, over the last hours. */
export async function insertDeadLetters(stack: Stack, endpointId: string, rows: number): Promise<void> {
  const key = keyAt('extract(epoch from now()) * 1000 - n * 10');
  await withConnection(stack.databaseUrl, async (connection) => {
    await ensurePartitions(connection, new Date(now() - DAY_MS));
    await connection.query(
      `insert into event (id, workspace_id, environment_id, event_type, payload_size, published)
       select ${key}, $1, $2, 'bench.recovered', 0, true from generate_series(1, $3::int) n`,
      [...placeOf(stack), rows],
    );
    await connection.query(
      `insert into delivery (id, event_id, endpoint_id, workspace_id, environment_id, event_type, status, failure_reason,
         total_attempts, last_response_status)
       select id, id, $3, $1, $2, event_type, 'dead_letter', 'retries_exhausted', 1, 500
       from event where event_type = 'bench.recovered'`,
      [...placeOf(stack), fromId('ep', endpointId)],
    );
    await connection.query('vacuum (analyze) delivery, event');
    await connection.query('checkpoint');
  });
}

/** Inserts events of a customer, each delivered in one attempt, over the last hours. Their payloads have 528 sealed bytes. */
export async function insertDelivered(
  stack: Stack,
  { applicationId, endpointId }: { applicationId: string; endpointId: string },
  rows: number,
): Promise<void> {
  const key = keyAt('extract(epoch from now()) * 1000 - n * 10');
  await withConnection(stack.databaseUrl, async (connection) => {
    await ensurePartitions(connection, new Date(now() - DAY_MS));
    // Digests do not compress, as sealed bytes do not.
    const payload = `decode((select string_agg(md5(n::text || i::text), '') from generate_series(1, 33) i), 'hex')`;
    await connection.query(
      `insert into event (id, workspace_id, environment_id, application_id, event_type, content_type, payload, payload_size,
         published)
       select ${key}, $1, $2, $3, 'bench.erased', 'application/json', ${payload}, 500, true
       from generate_series(1, $4::int) n`,
      [...placeOf(stack), fromId('app', applicationId), rows],
    );
    await connection.query(
      `insert into delivery (id, event_id, endpoint_id, workspace_id, environment_id, event_type, status, total_attempts,
         last_response_status)
       select id, id, $3, $1, $2, event_type, 'delivered', 1, 200 from event where event_type = 'bench.erased'`,
      [...placeOf(stack), fromId('ep', endpointId)],
    );
    await connection.query(
      `insert into attempt (delivery_id, id, number, trigger, succeeded, started_at, duration_ms, url, request_headers,
         response_status, response_body_sealed)
       select id, id, 1, 'schedule', true, now(), 5, $1, '{"content-type": "application/json"}', 200, '\\x00'
       from event where event_type = 'bench.erased'`,
      [`https://customer.example/${endpointId}`],
    );
    await connection.query('vacuum (analyze) delivery, event, attempt');
    await connection.query('checkpoint');
  });
}

/** Inserts a history of events and ended deliveries over six days; a twentieth of them failed. */
export async function insertHistory(stack: Stack, endpointIds: readonly string[], rows: number): Promise<void> {
  const endpoints = endpointIds.map((id) => fromId('ep', id));
  const key = keyAt('extract(epoch from now()) * 1000 - n * 500');
  await withConnection(stack.databaseUrl, async (connection) => {
    await ensurePartitions(connection, new Date(now() - 6 * DAY_MS));
    await connection.query(
      `insert into event (id, workspace_id, environment_id, event_type, payload_size, published)
       select ${key}, $1, $2, 'bench.history', 0, true from generate_series(1, $3::int) n`,
      [...placeOf(stack), rows],
    );
    await connection.query(
      `insert into delivery (id, event_id, endpoint_id, workspace_id, environment_id, event_type, status, failure_reason)
       select ${key}, ${key}, ($3::uuid[])[1 + n % 10], $1, $2, 'bench.history',
         (case when n % 20 = 0 then 'failed' else 'delivered' end)::delivery_status,
         case when n % 20 = 0 then 'retries_exhausted' end from generate_series(1, $4::int) n`,
      [...placeOf(stack), endpoints, rows],
    );
    await connection.query('vacuum (analyze) delivery, event');
  });
}

type Searched = { known: readonly { id: string; tokens: readonly bigint[] }[]; rows: number };

/**
 * Inserts events without payloads over six days: `rows` events with two tokens of their own each, and the known events.
 */
export async function insertSearched(stack: Stack, { known, rows }: Searched): Promise<void> {
  // The events have the order in which they would have been accepted: it decides how full the pages of an index are.
  // Each day has more events than the one before, and the last day twice as many as the first. The pages of an index
  // of random keys are all split at about the same size of the index, so with equal days all pages would happen to
  // be equally full.
  const key = keyAt(`${Math.round(now())} - ${6 * DAY_MS} * (1 - ln(1 + n / ${rows}::float8) / ln(2::float8))`);
  const token = (salt: string) => `('x' || substr(md5(n::text || '${salt}'), 1, 16))::bit(64)::bigint`;
  await withConnection(stack.databaseUrl, async (connection) => {
    await ensurePartitions(connection, new Date(now() - 6 * DAY_MS));
    const columns = '(id, workspace_id, environment_id, event_type, payload_size, published)';
    for (let done = 0; done < rows; done += 1_000_000) {
      const part = [done + 1, Math.min(rows, done + 1_000_000)];
      await connection.query(
        `insert into event ${columns} select ${key}, $1, $2, 'bench.searched', 0, true from generate_series($3::int, $4::int) n`,
        [...placeOf(stack), ...part],
      );
      await connection.query(
        `insert into event_token (token, event_id)
         select token, ${key} from generate_series($1::int, $2::int) n
         cross join lateral (values (${token('a')}), (${token('b')})) as t(token)`,
        part,
      );
    }
    const ids = known.map(({ id }) => id);
    await connection.query(
      `insert into event ${columns} select id, $1, $2, 'bench.searched', 0, true from unnest($3::uuid[]) as k(id)`,
      [...placeOf(stack), ids],
    );
    const pairs = known.flatMap(({ id, tokens }) => tokens.map((one) => [one, id] as const));
    await connection.query('insert into event_token (token, event_id) select * from unnest($1::bigint[], $2::uuid[])', [
      pairs.map(([one]) => String(one)),
      pairs.map(([, id]) => id),
    ]);
    await connection.query('vacuum (analyze) event, event_token');
  });
}

/** SQL for the UUIDv7 of row n, at the given milliseconds since the epoch. */
function keyAt(milliseconds: string): string {
  return `(lpad(to_hex((${milliseconds})::bigint), 12, '0') || '7'
    || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid`;
}

function placeOf(stack: Stack) {
  return [fromId('ws', stack.workspaceId), fromId('env', stack.environmentId)];
}

async function insertEvents(
  connection: pg.Client,
  stack: Stack,
  { ids, payloads }: { ids: string[]; payloads: Buffer[] },
): Promise<void> {
  await connection.query(
    `insert into event (id, workspace_id, environment_id, event_type, content_type, payload, payload_size, published)
     select id, $1, $2, 'bench.backlog', 'application/json', payload, $5, true
     from unnest($3::uuid[], $4::bytea[]) as given(id, payload)`,
    [...placeOf(stack), ids, payloads, BODY.length],
  );
}
