import type { Db } from '@posthorn/db/client';
import { SUSPECT_LOST_LEASES } from '@posthorn/ledger/claim';
import type { DeliveryTicket } from '@posthorn/queue/deliver-job';
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
const EVENTS_A_JOB = 100;

/**
 * Rings again for what stands overdue in Postgres: events not fanned out, deliveries due without a live ticket, leases
 * run out. It changes no row; a ticket too many is dropped by the claim, and one that still lives is not added twice.
 */
export async function sweep({ db, producer, metrics }: SweepDeps): Promise<SweepResult> {
  const depths = await producer.depths();
  const eventIds = depths.fanOut < BUSY_DEPTH / EVENTS_A_JOB ? await findOverdueEvents(db) : [];
  for (let start = 0; start < eventIds.length; start += EVENTS_A_JOB) {
    await producer.ringFanOut(eventIds.slice(start, start + EVENTS_A_JOB));
  }
  const tickets = depths.deliverWaiting < BUSY_DEPTH ? await findOverdueDeliveries(db) : [];
  for (let start = 0; start < tickets.length; start += 500) {
    await producer.ringDeliveries(tickets.slice(start, start + 500));
  }
  metrics.reconciled.inc({ queue: 'fan-out' }, eventIds.length);
  metrics.reconciled.inc({ queue: 'deliver' }, tickets.length);
  return {
    fanOuts: eventIds.length,
    deliveries: tickets.length,
    more: eventIds.length === PAGE || tickets.length === PAGE,
  };
}

/** A second of grace: what has just been committed is being rung by whoever committed it. */
async function findOverdueEvents(db: Db): Promise<string[]> {
  const rows = await db.$queryRaw<{ event_id: string }[]>`
    select event_id from pending_fan_out where enqueued_at < now() - interval '1 second'
    order by event_id limit ${PAGE}::int`;
  return rows.map((row) => row.event_id);
}

async function findOverdueDeliveries(db: Db): Promise<DeliveryTicket[]> {
  const rows = await db.$queryRaw<{ id: string; event_id: string; generation: number; alone: boolean }[]>`
    select id, event_id, generation, lost_leases + (status = 'delivering')::int >= ${SUSPECT_LOST_LEASES}::int as alone
    from delivery where due_at < now() - interval '1 second'
    order by due_at limit ${PAGE}::int`;
  return rows.map(({ id, event_id, generation, alone }) => ({
    deliveryId: id,
    eventId: event_id,
    generation,
    alone,
    delayMs: 0,
  }));
}
