import type { Rig } from '../rig.ts';

type Db = Rig['db'];

/** Adds a trigger that records every message of an alert rule, in the transaction that makes it. */
export async function keepTold(db: Db): Promise<void> {
  await db.$executeRaw`
    create table fault_told (rule_id uuid not null, event_type text not null, occurrences bigint not null,
      at timestamptz not null default now())`;
  await db.$executeRaw`
    create function write_fault_told() returns trigger language plpgsql as $$
    begin
      insert into fault_told (rule_id, event_type, occurrences)
      values (new.rule_id, new.event_type, (new.content->>'occurrences')::bigint);
      return null;
    end $$`;
  await db.$executeRaw`
    create trigger fault_told after insert on outgoing_alert for each row execute function write_fault_told()`;
}

/** The largest number of messages of one rule and kind within this time after the first of them. */
export async function mostInQuietTime(db: Db, quietMs: number): Promise<number> {
  const [row] = await db.$queryRaw<{ most: number | null }[]>`
    select max(n)::int as most from (
      select (select count(*) from fault_told u where u.rule_id = t.rule_id and u.event_type = t.event_type
        and u.at >= t.at and u.at < t.at + make_interval(secs => ${quietMs / 1_000}::float8)) as n
      from fault_told t) counted`;
  return row?.most ?? 0;
}

/** The number of messages for each rule and kind. */
export async function toldOfEach(db: Db): Promise<Map<string, number>> {
  const rows = await db.$queryRaw<{ key: string; messages: number }[]>`
    select rule_id || ' ' || event_type as key, count(*)::int as messages from fault_told group by rule_id, event_type`;
  return new Map(rows.map(({ key, messages }) => [key, messages]));
}

/** The number of alerts that the messages have counted or that rules keep for their next message. */
export async function occurrencesOf(db: Db): Promise<number> {
  const [row] = await db.$queryRaw<{ occurrences: number }[]>`
    select ((select coalesce(sum(occurrences), 0) from fault_told)
      + (select coalesce(sum(occurrences), 0) from alert_state))::float8 as occurrences`;
  return row?.occurrences ?? 0;
}
