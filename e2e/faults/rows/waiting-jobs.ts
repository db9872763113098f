import { toId } from '@posthorn/contract/ids';
import type { Endpoint, Rig } from '../rig.ts';
import { ask } from './ask.ts';

/**
 * The number of waiting deliver jobs in Redis, without delayed ones. Only the dispatcher whose turn it is to reconcile
 * shows it. Without Redis, the number of rows that wait to be claimed.
 */
export async function jobsWaiting(rig: Rig): Promise<number> {
  if (rig.shape !== 'scaled') {
    return rig.db.delivery.count({ where: { status: { not: 'delivering' }, dueAt: { lte: new Date() } } });
  }
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
 * Deletes the deliveries that were never attempted, so that the row need not wait for them, and no longer expects their
 * events. Each of these events must match exactly one endpoint.
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
