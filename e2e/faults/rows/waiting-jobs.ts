import { toId } from '@posthorn/contract/ids';
import type { Endpoint, Rig } from '../rig.ts';
import { ask } from './ask.ts';

/** Deliver jobs that wait in Redis, without delayed ones: only the dispatcher with the reconciler's turn shows them. */
export async function jobsWaiting(rig: Rig): Promise<number> {
  const up = rig.dispatchers.filter((one) => one.pid() !== undefined);
  const shown = await Promise.all(
    up.map(async ({ url }) => {
      const { text } = await ask('GET', `${url}/metrics`);
      return Number(/^posthorn_queue_depth\{queue="deliver",state="waiting"\} (\d+)/m.exec(text)?.[1] ?? 0);
    }),
  );
  return Math.max(0, ...shown);
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
