import { among } from '@posthorn/db/among';
import type { Db } from '@posthorn/db/client';
import { SUSPECT_LOST_LEASES } from '@posthorn/ledger/lease';
import type { DeliveryTicket } from '@posthorn/queue/deliver-job';
import type { FanOutTicket } from '@posthorn/queue/fan-out-job';
import type { Producer } from '@posthorn/queue/producer';
import type { DispatcherMetrics } from './metrics.ts';

export type SweepDeps = {
  db: Db;
  producer: Pick<Producer, 'ringFanOut' | 'ringDeliveries' | 'depths'>;
  metrics: DispatcherMetrics;
};

/** What this sweep rang, and whether more stands overdue than it could take. */
export type SweepResult = { fanOuts: number; deliveries: number; more: boolean };

/** Rows rung by one sweep at most. */
const PAGE = 5_000;
/** While this many jobs wait, dispatchers have work enough, and what is overdue has most likely a ticket among them. */
const BUSY_DEPTH = 5_000;
/** While fewer wait, a row that is overdue has no ticket among them: it is lost, or held by nobody. */
const IDLE_DEPTH = 100;
/** How often a row that stays overdue gets another ticket. */
const ROUND_SECONDS = 3;
const EVENTS_A_JOB = 100;

/**
 * Rings again for what stands overdue in Postgres: events not fanned out, deliveries due without a live ticket, leases
 * run out. It changes no row; a ticket too many is dropped by the claim, and one that still lives is not added twice.
 */
export async function sweep({ db, producer, metrics }: SweepDeps): Promise<SweepResult> {
  const depths = await producer.depths();
  const events = depths.fanOut < BUSY_DEPTH / EVENTS_A_JOB ? await findOverdueEvents(db) : [];
  for (let start = 0; start < events.length; start += EVENTS_A_JOB) {
    await producer.ringFanOut(events.slice(start, start + EVENTS_A_JOB));
  }
  const tickets = depths.deliverWaiting < BUSY_DEPTH ? await findOverdueDeliveries(db, depths.deliverWaiting) : [];
  for (let start = 0; start < tickets.length; start += 500) {
    await producer.ringDeliveries(tickets.slice(start, start + 500));
  }
  metrics.reconciled.inc({ queue: 'fan-out' }, events.length);
  metrics.reconciled.inc({ queue: 'deliver' }, tickets.length);
  return {
    fanOuts: events.length,
    deliveries: tickets.length,
    more: events.length === PAGE || tickets.length === PAGE,
  };
}

/** A second of grace: what has just been committed is being rung by whoever committed it. */
async function findOverdueEvents(db: Db): Promise<FanOutTicket[]> {
  const overdue = await db.$queryRaw<{ event_id: string }[]>`
    select event_id from pending_fan_out where enqueued_at < now() - interval '1 second'
    order by event_id limit ${PAGE}::int`;
  const eventIds = overdue.map((row) => row.event_id);
  // By their ids alone, so that Postgres looks into their partitions only.
  const rows = await db.$queryRaw<FanOutTicket[]>`
    select id as "eventId", event_type as "eventType", workspace_id as "workspaceId" from event
    where ${among('id', eventIds)}`;
  const found = new Map(rows.map((row) => [row.eventId, row]));
  return eventIds.map((eventId) => found.get(eventId) ?? { eventId, eventType: '', workspaceId: '' });
}

async function findOverdueDeliveries(db: Db, waiting: number): Promise<DeliveryTicket[]> {
  const rows = await db.$queryRaw<OverdueRow[]>`
    select id as "deliveryId", event_id as "eventId", endpoint_id as "endpointId", workspace_id as "workspaceId",
      generation, lost_leases + (status = 'delivering')::int >= ${SUSPECT_LOST_LEASES}::int as alone,
      floor(extract(epoch from now()) / ${ROUND_SECONDS}::int)::int as round
    from delivery where due_at < now() - interval '1 second'
      and (status <> 'delivering' or leased_until < now() - interval '1 second')
    order by due_at limit ${PAGE}::int`;
  return rows.map(({ alone, round, ...row }) => ({
    ...row,
    ...(alone ? { alone } : {}),
    ...(waiting < IDLE_DEPTH ? { round } : {}),
    delayMs: 0,
  }));
}

type OverdueRow = Omit<DeliveryTicket, 'delayMs'> & { alone: boolean; round: number };
