import { Prisma } from '@posthorn/db/generated/client';
import { placeScheduled } from '@posthorn/ledger/scheduled-events';

/** Parts of the insert of events that have an ordering key or a time. */
type InsertParts = Record<
  | 'given'
  | 'arrays'
  | 'names'
  | 'admitted'
  | 'numbers'
  | 'eventColumns'
  | 'eventValues'
  | 'toFanOut'
  | 'direct'
  | 'result',
  Prisma.Sql
>;

type Given = { orderingKey: string | null; deliverAt: Date | null; isScheduled: boolean };

/** The most due events of one key that take their places in the statement that accepts another event of the key. */
const DUE_OF_A_KEY = 20;

/**
 * Leaves out an event if more scheduled events of its key are due: it would take its place before some of them. All
 * tenants share the statement, so it places no more of them. The dispatchers place the others within moments.
 */
const ADMITTED = Prisma.sql`, wanted as materialized (
        select g.* from given g where g.ordering_key is null or g.is_scheduled or not exists (
          select from (
            ${fromKeyOn(Prisma.sql`g`)} offset ${DUE_OF_A_KEY}::int limit 1) first_over
          where first_over.environment_id = g.environment_id and first_over.ordering_key = g.ordering_key
            and first_over.deliver_at <= now())
      )`;

/** The due scheduled events of the accepted keys: they take their places before an event that is accepted now. */
const DUE_OF_KEYS = Prisma.sql`select s.* from (
    select distinct environment_id, ordering_key from wanted where ordering_key is not null and not is_scheduled) k
  cross join lateral (${fromKeyOn(Prisma.sql`k`)} limit ${DUE_OF_A_KEY}::int) s
  where s.environment_id = k.environment_id and s.ordering_key = k.ordering_key and s.deliver_at <= now()`;

/** A comparison instead of an equality: Postgres then reads the index in its order, whatever its statistics say. */
function fromKeyOn(key: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`select event_id, environment_id, ordering_key, deliver_at from scheduled_event
    where (environment_id, ordering_key) >= (${key}.environment_id, ${key}.ordering_key) and ordering_key is not null
    order by environment_id, ordering_key, deliver_at, event_id`;
}

/** Whether the direct event `w` takes its place among the deliveries of its endpoint `p`. */
const IS_ORDERED = Prisma.sql`(w.ordering_key is not null and p.is_fifo)`;

/** The parts of the statement that inserts these events. */
export function partsOf(events: readonly Given[]): InsertParts {
  return {
    given: Prisma.sql`given`,
    arrays: Prisma.sql`,
          ${events.map((event) => event.orderingKey)}::text[],
          ${events.map((event) => event.deliverAt?.toISOString() ?? null)}::timestamptz[],
          ${events.map((event) => event.isScheduled)}::bool[]`,
    names: Prisma.sql`, ordering_key, deliver_at, is_scheduled`,
    admitted: ADMITTED,
    numbers: NUMBERS,
    eventColumns: Prisma.sql`, ordering_key, deliver_at, ordering_number`,
    eventValues: Prisma.sql`, ordering_key, deliver_at, (select n.number from numbers n where n.id = wanted.id)`,
    toFanOut: TO_FAN_OUT,
    direct: DIRECT,
    result: Prisma.sql`select s.id, g.id is not null as "isGated", coalesce(d.due or w.is_scheduled and not o.waits, true) as "isDue",
        false as "isLeftOut"
      from stored s join wanted w on w.id = s.id left join gated g on g.id = s.id
      left join direct d on d.id = w.delivery_id
      left join lateral (
        select ${IS_ORDERED} or p.is_pulled as waits from endpoint p where p.id = w.endpoint_id) o on true
      union all
      select id, false, false, true from given where id not in (select id from wanted)`,
  };
}

/**
 * `numbers` come after those of the scheduled events that take their places now. `gated` are the direct events for
 * which an earlier event of the key waits for its fan-out. Their deliveries enter the order after that event.
 */
const NUMBERS = Prisma.sql`, ${placeScheduled(DUE_OF_KEYS)}, numbers as materialized (
        select w.id, nextval('ordering_number') as number
        from wanted w cross join (select count(*) as n from numbered) placed_first
        where placed_first.n >= 0 and w.ordering_key is not null and not w.is_scheduled
          and (w.key is null or w.id in (select event_id from won))
      ), gated as materialized (
        select w.id from wanted w join endpoint p on p.id = w.endpoint_id
        where ${IS_ORDERED} and not w.is_scheduled and (
          exists (select from pending_fan_out f
            where f.environment_id = w.environment_id and f.ordering_key = w.ordering_key)
          or exists (select from numbered f
            where f.environment_id = w.environment_id and f.ordering_key = w.ordering_key))
      )`;

const TO_FAN_OUT = Prisma.sql`insert into pending_fan_out (event_id, environment_id, ordering_key, ordering_number)
        select w.id, case when w.ordering_key is not null then w.environment_id end, w.ordering_key, n.number
        from wanted w join stored s on s.id = w.id left join numbers n on n.id = w.id
        where not w.is_scheduled
          and (w.published and w.endpoint_id is null or w.id in (select id from gated))
      ), scheduled as (
        insert into scheduled_event (event_id, environment_id, deliver_at, ordering_key)
        select w.id, w.environment_id, w.deliver_at, w.ordering_key
        from wanted w join stored s on s.id = w.id left join endpoint p on p.id = w.endpoint_id
        where w.is_scheduled and w.published and (w.endpoint_id is null or ${IS_ORDERED})`;

/** A delivery that enters its order later has no ordering key yet, and is not due. */
const DIRECT = Prisma.sql`(
    select w.delivery_id as id, w.id as event_id, w.endpoint_id, w.workspace_id, w.environment_id,
      null::text as event_type,
      case when o.enters_later then end_of_time() when w.is_scheduled then w.deliver_at else now() end as due_at,
      case when ${IS_ORDERED} and not o.enters_later then w.ordering_key end as ordering_key,
      case when ${IS_ORDERED} and not o.enters_later then n.number end as ordering_number
    from wanted w join stored s on s.id = w.id join endpoint p on p.id = w.endpoint_id
    cross join lateral (
      select ${IS_ORDERED} and (w.is_scheduled or w.id in (select id from gated)) as enters_later) o
    left join numbers n on n.id = w.id) direct_events`;
