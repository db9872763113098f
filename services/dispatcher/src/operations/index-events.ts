import { LIMITS } from '@posthorn/contract/limits';
import { openPayload } from '@posthorn/crypto/open-payload';
import type { DbTransaction } from '@posthorn/db/client';
import { among } from '@posthorn/db/uuid-range';
import { payloadOf } from '@posthorn/filter/payload';
import { readSearchKeys } from '@posthorn/search/stored-keys';
import { ALL_LEFT_OUT, type FoundBy, openSearchKey, tokensOfPayload } from '@posthorn/search/tokens';
import type { SearchKey } from '@posthorn/search/values';
import type { StepInput, Stepped } from './stepped.ts';

/** The most events that a step reads. A step takes some tens of milliseconds. */
const EVENTS_AT_ONCE = 500;
const UTF_8 = new TextDecoder();
const NOT_FOUND_BY: FoundBy = { tokens: [], searchLeftOut: null };

type EventRow = {
  id: string;
  environmentId: string;
  contentType: string | null;
  payloadSize: number;
  /** Null if the payload is too large to be searched. */
  payload: Uint8Array | null;
};

/**
 * Writes the tokens of a type's next events according to its present search keys, under the workspace's present key. An
 * event that already has them stays as it is. The rows of the events are locked: an erasure comes either before, so
 * that the event has no payload any more, or after, and finds these tokens.
 */
export async function indexEvents(transaction: DbTransaction, { turn, part, keys }: StepInput): Promise<Stepped> {
  const { workspaceId, eventTypes: [name = ''] = [], end } = turn.scope;
  const type = await transaction.eventType.findFirst({ where: { workspaceId, name }, select: { searchKeys: true } });
  const searchKeys = (type?.searchKeys ?? []) as SearchKey[];
  const [stored] = await readSearchKeys(transaction, workspaceId);
  const key = stored && openSearchKey(keys, stored);
  if (searchKeys.length === 0) return { kind: 'failed', error: 'The event type has no search keys' };
  if (key === undefined) return { kind: 'failed', error: 'The search key of the workspace cannot be opened' };
  const page = await transaction.$queryRaw<{ id: string; isWanted: boolean }[]>`
    select id, coalesce(event_type = ${name}::text, false) and not is_test as "isWanted" from event
    where workspace_id = ${workspaceId}::uuid and id > ${part.position}::uuid and id < ${end}::uuid
    order by id limit ${EVENTS_AT_ONCE}::int`;
  const wanted = page.filter(({ isWanted }) => isWanted).map(({ id }) => id);
  const events = wanted.length === 0 ? [] : await lockWithPayload(transaction, wanted);
  const found = events.map((event) => ({ id: event.id, ...foundBy(event) }));
  await writeTokens(transaction, found);
  const isLast = page.length < EVENTS_AT_ONCE;
  const position = page.at(-1)?.id ?? part.position;
  const counts = { matched: events.length, enqueued: events.length, unended: 0 };
  const step = { phase: isLast ? ('done' as const) : part.phase, position, ...counts };
  return { kind: 'stepped', step, enqueue: [], cancelled: [], released: [] };

  function foundBy({ id, environmentId, contentType, payloadSize, payload }: EventRow): FoundBy {
    if (payloadSize > LIMITS.searchablePayloadBytes) return { tokens: [], searchLeftOut: ALL_LEFT_OUT };
    const body = openPayload(keys, id, payload);
    const read = payloadOf(contentType, body);
    if (read.kind !== 'json' || key === undefined) return NOT_FOUND_BY;
    return tokensOfPayload(key, environmentId, {
      keys: searchKeys,
      payload: read.value,
      text: () => UTF_8.decode(body),
    });
  }
}

/** The events that still have a payload, locked until the transaction ends. */
function lockWithPayload(transaction: DbTransaction, ids: readonly string[]): Promise<EventRow[]> {
  return transaction.$queryRaw<EventRow[]>`
    select id, environment_id as "environmentId", content_type as "contentType", payload_size as "payloadSize",
      case when payload_size <= ${LIMITS.searchablePayloadBytes}::int then payload end as payload
    from event where ${among('id', ids)} and payload is not null order by id for share`;
}

async function writeTokens(transaction: DbTransaction, found: readonly (FoundBy & { id: string })[]): Promise<void> {
  if (found.length === 0) return;
  const ids = found.map(({ id }) => id);
  const rows = found.flatMap(({ id, tokens }) => tokens.map((token) => ({ id, token })));
  await transaction.$executeRaw`
    with wanted as materialized (
      select * from unnest(${rows.map(({ token }) => token)}::bigint[], ${rows.map(({ id }) => id)}::uuid[]) as w(token, event_id)),
    gone as (
      delete from event_token t where t.event_id = any(${ids}::uuid[])
        and t.event_id between ${ids[0]}::uuid and ${ids.at(-1)}::uuid
        and not exists (select from wanted w where w.event_id = t.event_id and w.token = t.token))
    insert into event_token (token, event_id) select token, event_id from wanted on conflict do nothing`;
  await transaction.$executeRaw`
    update event set search_left_out = l.left_out
    from unnest(${ids}::uuid[], ${found.map(({ searchLeftOut }) => searchLeftOut)}::smallint[]) as l(event_id, left_out)
    where ${among('id', ids)} and id = l.event_id and search_left_out is distinct from l.left_out`;
}
