import { among } from '@posthorn/db/among';
import type { Db } from '@posthorn/db/client';
import { SUSPECT_LOST_LEASES } from '@posthorn/ledger/lease';
import type { DeliveryTicket } from '@posthorn/queue/deliver-job';
import type { FanOutTicket } from '@posthorn/queue/fan-out-job';
import type { Producer } from '@posthorn/queue/producer';
import type { DispatcherMetrics } from '../metrics.ts';

export type SweepDeps = {
  db: Db;
  producer: Pick<Producer, 'ringFanOut' | 'ringLostDeliveries' | 'depths' | 'takeSweepTurn' | 'endSweepTurn'>;
  metrics: DispatcherMetrics;
};

/** What this sweep rang, and when to come again: soon where more may stand overdue than it could take. */
export type SweepResult = { fanOuts: number; deliveries: number; againInMs: number };

/** After a full page, or when the queue was too full for one: as soon as it may have room. */
const MORE_AGAIN_MS = 200;
/** Rows rung by one sweep at most. */
const PAGE = 5_000;
/**
 * While this many jobs wait, dispatchers have work enough, and what is overdue has most likely a ticket among them. Less
 * than a page, so that a page has room: behind a backlog most of what one finds has its ticket.
 */
const BUSY_DEPTH = 2_500;
/** The same, of jobs of fan-out. */
const BUSY_FAN_OUTS = 50;
/** While fewer wait, a row that is overdue has no ticket among them: it is lost, or held by nobody. */
const IDLE_DEPTH = 100;
/** What has just become due is being rung by whoever made it so. */
const GRACE_SECONDS = 1;
/** How often a row that stays overdue gets another ticket. */
const ROUND_SECONDS = 3;
const EVENTS_A_JOB = 100;
const TICKETS_AT_ONCE = 500;

/**
 * Rings again for what stands overdue in Postgres: events not fanned out, deliveries due without a live ticket, leases
 * run out. It changes no row; a ticket too many is dropped by the claim, and one that still lives is not added twice.
 * Dispatchers take turns, half an interval each: what all of them ring at once is looked at by all of them at once.
 */
export async function sweep(deps: SweepDeps, intervalMs: number): Promise<SweepResult> {
  const turnMs = Math.ceil(intervalMs / 2);
  if (!(await deps.producer.takeSweepTurn(turnMs))) return { fanOuts: 0, deliveries: 0, againInMs: turnMs };
  const { more, ...rung } = await ringOverdue(deps);
  if (more) await deps.producer.endSweepTurn();
  return { ...rung, againInMs: more ? Math.min(MORE_AGAIN_MS, intervalMs) : intervalMs };
}

async function ringOverdue({ db, producer, metrics }: SweepDeps) {
  const depths = await producer.depths();
  const events = depths.fanOut < BUSY_FAN_OUTS ? await findOverdueEvents(db) : [];
  for (let start = 0; start < events.length; start += EVENTS_A_JOB) {
    await producer.ringFanOut(events.slice(start, start + EVENTS_A_JOB));
  }
  const isIdle = depths.deliverWaiting < IDLE_DEPTH;
  const isBusy = depths.deliverWaiting >= BUSY_DEPTH;
  const tickets = isBusy ? [] : await findOverdueDeliveries(db, isIdle);
  let deliveries = 0;
  for (let start = 0; start < tickets.length; start += TICKETS_AT_ONCE) {
    deliveries += await producer.ringLostDeliveries(tickets.slice(start, start + TICKETS_AT_ONCE));
  }
  metrics.reconciled.inc({ queue: 'fan-out' }, events.length);
  metrics.reconciled.inc({ queue: 'deliver' }, deliveries);
  return {
    fanOuts: events.length,
    deliveries,
    // A turn kept while nothing could be rung would keep all dispatchers together at a page a second.
    more: isBusy || events.length === PAGE || tickets.length === PAGE,
  };
}

async function findOverdueEvents(db: Db): Promise<FanOutTicket[]> {
  const overdue = await db.$queryRaw<{ event_id: string }[]>`
    select event_id from pending_fan_out where enqueued_at < now() - make_interval(secs => ${GRACE_SECONDS}::int)
    order by event_id limit ${PAGE}::int`;
  const eventIds = overdue.map((row) => row.event_id);
  // By their ids alone, so that Postgres looks into their partitions only.
  const rows = await db.$queryRaw<FanOutTicket[]>`
    select id as "eventId", event_type as "eventType", workspace_id as "workspaceId" from event
    where ${among('id', eventIds)}`;
  const found = new Map(rows.map((row) => [row.eventId, row]));
  return eventIds.map((eventId) => found.get(eventId) ?? { eventId, eventType: '', workspaceId: '' });
}

async function findOverdueDeliveries(db: Db, isIdle: boolean): Promise<DeliveryTicket[]> {
  const rows = await db.$queryRaw<OverdueRow[]>`
    select id as "deliveryId", event_id as "eventId", endpoint_id as "endpointId", workspace_id as "workspaceId",
      generation, lost_leases + (status = 'delivering')::int >= ${SUSPECT_LOST_LEASES}::int as alone,
      status = 'delivering' as orphaned,
      floor(extract(epoch from now()) / ${ROUND_SECONDS}::int)::int as round
    from delivery where due_at < now() - make_interval(secs => ${GRACE_SECONDS}::int)
      and (status <> 'delivering' or coalesce(leased_until, due_at) < now() - make_interval(secs => ${GRACE_SECONDS}::int))
    order by due_at limit ${PAGE}::int`;
  return rows.map(({ alone, orphaned, round, ...row }) => ({
    ...row,
    // It has waited for its lease's end already. One that may have killed its process goes before nobody.
    ...(alone ? { alone } : orphaned ? { first: true } : {}),
    ...(isIdle ? { round } : {}),
    delayMs: 0,
  }));
}

type OverdueRow = Omit<DeliveryTicket, 'delayMs'> & { alone: boolean; orphaned: boolean; round: number };
