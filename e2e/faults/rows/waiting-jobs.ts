import { toId } from '@posthorn/contract/ids';
import type { Endpoint, Rig } from '../rig.ts';
import { ask } from './ask.ts';

/** Deliver jobs that wait in Redis, delayed ones aside, by the metrics of a dispatcher. */
export async function jobsWaiting(rig: Rig): Promise<number> {
  const { text } = await ask('GET', `${rig.dispatchers.find((one) => one.pid() !== undefined)?.url}/metrics`);
  return Number(/^posthorn_queue_depth\{queue="deliver",state="waiting"\} (\d+)/m.exec(text)?.[1] ?? 0);
}

/**
 * Takes away what was never attempted, so that a row need not wait for all of it: the deliveries leave the tables, and
 * their events the account. Each of the events must have been for one endpoint.
 */
export async function removeUnattempted(rig: Rig, endpoints: readonly Endpoint[]): Promise<void> {
  const ids = endpoints.map((endpoint) => endpoint.uuid);
  const rows = await rig.db.$queryRaw<{ event_id: string }[]>`
    delete from delivery where endpoint_id = any(${ids}::uuid[]) and status = 'pending' and total_attempts = 0
    returning event_id`;
  const removed = new Set(rows.map((row) => toId('msg', row.event_id)));
  const kept = rig.load.sent.filter(({ eventId = '' }) => !removed.has(eventId));
  rig.load.sent.splice(0, Number.POSITIVE_INFINITY, ...kept);
}
