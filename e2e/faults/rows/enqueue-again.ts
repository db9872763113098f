import { createProducer } from '@posthorn/queue/redis/producer';
import { waitFor } from '@posthorn/testkit/wait-for';
import type { Endpoint, Rig } from '../rig.ts';

/** Jobs run from this long before the due time of a delivery (FROM_MS) until this long after it (UNTIL_MS). */
const FROM_MS = -200;
const UNTIL_MS = 800;

/** Enqueues `jobs` jobs for each delivery of an endpoint that waits for a retry, around its due time. */
export async function enqueueAgain(rig: Rig, { uuid, jobs }: Pick<Endpoint, 'uuid'> & { jobs: number }) {
  const producer = createProducer({
    redisUrl: rig.dispatchers[0]?.redis.url ?? '',
    prefix: await queuePrefix(rig),
    monotonicMs: () => performance.now(),
    onError: () => undefined, // A job that cannot be enqueued throws.
  });
  try {
    await waitFor(() => producer.depths(), { what: 'Redis' });
    const rows = await rig.db.delivery.findMany({ where: { endpointId: uuid, status: 'scheduled_retry' } });
    for (const { id: deliveryId, eventId, endpointId, workspaceId, generation, dueAt } of rows) {
      const dueInMs = (dueAt?.getTime() ?? 0) - Date.now();
      const delayMs = (round: number) => Math.max(0, dueInMs + FROM_MS + ((UNTIL_MS - FROM_MS) * round) / jobs);
      await producer.enqueueDeliveries(
        Array.from({ length: jobs }, (_, n) => ({
          ...{ deliveryId, eventId, endpointId, workspaceId, generation },
          round: n + 1,
          delayMs: Math.round(delayMs(n)),
        })),
      );
    }
    return rows.length * jobs;
  } finally {
    await producer.close();
  }
}

async function queuePrefix(rig: Rig): Promise<string> {
  const keys = await waitFor(async () => String(await rig.redis.ask('KEYS', '*:deliver:meta')), { what: 'the queue' });
  return keys.replace(/:deliver:meta$/, '');
}
