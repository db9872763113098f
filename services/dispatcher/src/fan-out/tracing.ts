import { toId } from '@posthorn/contract/ids';
import { atMost } from '@posthorn/runtime/at-most';
import type { Tracing } from '@posthorn/runtime/tracing';
import { LRUCache } from 'lru-cache';
import { createFanOut } from './fan-out.ts';
import type { FanOutDeps } from './write-deliveries.ts';

/**
 * The most events whose counts are kept. Ordered fan-out also creates deliveries of earlier events, whose jobs may
 * belong to another process.
 */
const MAX_EVENTS = 10_000;

/** Fan-out with a span for each event of a job, in the event's trace. Used only if traces are on. */
export function createTracedFanOut(deps: FanOutDeps, tracing: Tracing): ReturnType<typeof createFanOut> {
  const madeByEvent = new LRUCache<string, number>(atMost(MAX_EVENTS));
  const fanOut = createFanOut({
    ...deps,
    onCreated(deliveries) {
      for (const { eventId } of deliveries) madeByEvent.set(eventId, (madeByEvent.get(eventId) ?? 0) + 1);
      deps.onCreated(deliveries);
    },
  });
  return async (job) => {
    const startedMs = tracing.nowMs();
    let error: string | undefined = '_OTHER';
    try {
      await fanOut(job);
      error = undefined;
    } finally {
      const eventIds = job.groups.flatMap((group) => group.eventIds);
      for (const eventId of eventIds) {
        const span = tracing.start({ name: 'fan-out', kind: 'consumer', eventId, startedMs });
        const attributes = {
          'messaging.system': 'posthorn',
          'messaging.operation.type': 'process',
          'messaging.operation.name': 'fan-out',
          'messaging.message.id': toId('msg', eventId),
          'messaging.batch.message_count': eventIds.length,
          'posthorn.deliveries_created': madeByEvent.get(eventId) ?? 0,
        };
        span.end({ endedMs: tracing.nowMs(), attributes, error });
        madeByEvent.delete(eventId);
      }
    }
  };
}
