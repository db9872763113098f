import type { Stack } from '@posthorn/testkit/stack';
import type { Move } from './oracle.ts';

type Db = Stack['db'];

/**
 * Adds a trigger that records every change of a delivery's status, due time or lease, in the transaction that makes the
 * change.
 */
export async function keepHistory(db: Db): Promise<void> {
  await db.$executeRaw`
    create table fault_move (
      seq bigint generated always as identity primary key, event_id uuid not null, endpoint_id uuid not null,
      was text, is_now text not null, due_at timestamptz, at timestamptz not null default clock_timestamp())`;
  await db.$executeRaw`
    create function write_fault_move() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into fault_move (event_id, endpoint_id, is_now, due_at)
        values (new.event_id, new.endpoint_id, new.status, new.due_at);
      elsif old.status is distinct from new.status or old.due_at is distinct from new.due_at
          or (new.status = 'delivering' and old.lease_token is distinct from new.lease_token) then
        insert into fault_move (event_id, endpoint_id, was, is_now, due_at)
        values (new.event_id, new.endpoint_id, old.status, new.status, new.due_at);
      end if;
      return null;
    end $$`;
  await db.$executeRaw`
    create trigger fault_move after insert or update of status, due_at, lease_token on delivery
    for each row execute function write_fault_move()`;
}

export type Names = { eventId: (uuid: string) => string; endpoint: (uuid: string) => string };

/** Rows for each query. A long run has millions of moves, which do not fit into one result. */
const MOVES_AT_ONCE = 50_000;

/** All moves so far, in order, with the event ids and endpoint names that receivers see. */
export async function readHistory(db: Db, names: Names): Promise<Move[]> {
  const moves: Move[] = [];
  const ids = new Map<string, string>();
  const eventId = (uuid: string) => {
    const known = ids.get(uuid) ?? names.eventId(uuid);
    ids.set(uuid, known);
    return known;
  };
  for (let after: bigint | undefined = 0n; after !== undefined; ) {
    const rows: HistoryRow[] = await db.$queryRaw<HistoryRow[]>`
      select seq, event_id, endpoint_id, was, is_now, extract(epoch from due_at)::float8 * 1000 as due_at_ms,
        extract(epoch from at)::float8 * 1000 as at_ms
      from fault_move where seq > ${after}::bigint order by seq limit ${MOVES_AT_ONCE}::int`;
    for (const row of rows) {
      moves.push({
        eventId: eventId(row.event_id),
        endpoint: names.endpoint(row.endpoint_id),
        from: row.was,
        to: row.is_now,
        dueAtMs: row.due_at_ms,
        atMs: row.at_ms,
      });
    }
    after = rows.length < MOVES_AT_ONCE ? undefined : rows.at(-1)?.seq;
  }
  return moves;
}

type HistoryRow = {
  seq: bigint;
  event_id: string;
  endpoint_id: string;
  was: string | null;
  is_now: string;
  due_at_ms: number | null;
  at_ms: number;
};

/** Counts the events that are not fanned out and the open deliveries. */
export async function countOpen(db: Db): Promise<number> {
  const [row] = await db.$queryRaw<{ open: number }[]>`
    select ((select count(*) from pending_fan_out) + (select count(*) from delivery where due_at is not null))::int as open`;
  return row?.open ?? 0;
}

/** The current claims of all dispatchers. Each claim of a delivery has its own id. */
export async function findClaims(db: Db): Promise<string[]> {
  const rows = await db.delivery.findMany({ where: { status: 'delivering' }, select: { id: true, leaseToken: true } });
  return rows.map(({ id, leaseToken }) => `${id} ${leaseToken}`);
}

/**
 * Stops recording the inserts of deliveries; later changes are still recorded. Used by rows that insert
 * a million deliveries.
 */
export async function leaveOutInserts(db: Db): Promise<void> {
  await db.$executeRaw`drop trigger fault_move on delivery`;
  await db.$executeRaw`
    create trigger fault_move after update of status, due_at, lease_token on delivery
    for each row execute function write_fault_move()`;
}
