import type { ClaimedDelivery } from '@posthorn/ledger/claim';
import { knownOffer } from '@posthorn/ledger/offer';
import type { HandOverJob, HandOverRequest } from '@posthorn/queue/jobs';
import type { HandOff } from '@posthorn/queue/producer';
import { takesOffers } from '@posthorn/queue/takers';
import type { Clock } from '@posthorn/runtime/clock';
import type { Lifecycle } from '@posthorn/runtime/lifecycle';
import { errorFields, type Logger } from '@posthorn/runtime/logger';
import { type Repeating, repeat } from '@posthorn/runtime/repeat';
import type { Slots } from '../admission/slots.ts';

export type HandOffDeps = {
  /** Takes what this process cannot attempt now. */
  producer: HandOff;
  /** Whether an operator has paused deliveries. */
  isPaused: () => boolean;
  /** Attempts deliveries under the job's lease. Known deliveries need no read. */
  take: (job: HandOverJob, known: ReadonlyMap<string, ClaimedDelivery>) => Promise<void>;
  clock: Pick<Clock, 'now' | 'monotonicMs'>;
  /** The number of attempts that could begin now; 0 while this process stops. */
  room: () => number;
  /** Resolves when a slot is released, or after the time. */
  freed: Slots['freed'];
  /** The number of all slots of this process. */
  slotCount: number;
  slowEndpoints: Slots['slow'];
  quiet: Pick<Logger, 'warn'>;
};

/** An event waits at most this long for room. */
const ROOM_WITHIN_MS = 50;
/** After a wait without success, no event waits for this long: slow or hanging endpoints hold the slots. */
const PAUSED_FOR_MS = 1_000;

/**
 * Hands deliveries to this dispatcher without a job, while it has room. A call may be lost with its process: the offers then
 * end, as after a job that was lost.
 *
 * Without room, events wait for a moment before they are accepted: acceptance and attempts share one thread, and a delivery that
 * is not offered costs a claim. Where attempts do not end soon, only one batch a second waits.
 */
export function createHandOff(deps: HandOffDeps): HandOff {
  const { producer, isPaused, take, room, freed, slotCount, slowEndpoints, clock, quiet } = deps;
  const hasRoom = () => !isPaused() && takesOffers(room(), slotCount);
  let waitsAgainMs = Number.NEGATIVE_INFINITY;
  return {
    takesContent: true,
    takers() {
      if (hasRoom()) return 'ready';
      return producer.takers() === 'none' ? 'none' : 'behind';
    },
    async awaitRoom() {
      const fromMs = clock.monotonicMs();
      if (fromMs < waitsAgainMs) return;
      const untilMs = fromMs + ROOM_WITHIN_MS;
      for (let leftMs = ROOM_WITHIN_MS; leftMs > 0; leftMs = untilMs - clock.monotonicMs()) {
        if (isPaused() || hasRoom()) return;
        await freed(leftMs);
      }
      if (!hasRoom()) waitsAgainMs = clock.monotonicMs() + PAUSED_FOR_MS;
    },
    slowMs: (endpointId) => slowEndpoints().get(endpointId),
    async handOver(events, leaseToken) {
      if (leaseToken === undefined) return producer.handOver(events, undefined);
      const deliveries = events.flatMap((event) => event.deliveries);
      if (deliveries.length === 0) return;
      // Wait until the answers to their events are written.
      setImmediate(() => {
        take({ deliveries, leaseToken }, knownOf(events, leaseToken, clock)).catch((error) =>
          quiet.warn('offered deliveries wait for the reconciler', errorFields(error)),
        );
      });
    },
  };
}

const PAUSE_READ_EVERY_MS = 500;

type PauseDeps = {
  read: () => Promise<boolean>;
  lifecycle: Pick<Lifecycle, 'onStop'>;
  quiet: Pick<Logger, 'warn'>;
};

/**
 * Watches whether an operator has paused deliveries, if that is stored in Redis: reads it twice a second once somebody
 * asks. Until it is known, deliveries count as paused: they are then due, and get jobs. If Redis is away, that is no
 * pause.
 */
export function watchPause({ read, lifecycle, quiet }: PauseDeps): () => boolean {
  let known: boolean | undefined;
  let looks: Repeating | undefined;
  let isStopped = false;
  lifecycle.onStop('looks for a pause', async () => {
    isStopped = true;
    await looks?.stop();
  });
  const begin = () =>
    repeat({
      async round() {
        known = await read();
        return PAUSE_READ_EVERY_MS;
      },
      waitAfterErrorMs: PAUSE_READ_EVERY_MS,
      onError(error) {
        known ??= false;
        quiet.warn('it could not be read whether deliveries are paused', errorFields(error));
      },
    });
  return () => {
    if (!isStopped) looks ??= begin();
    return known ?? true;
  };
}

function knownOf(events: readonly HandOverRequest[], leaseToken: string, clock: Pick<Clock, 'now'>) {
  const known = new Map<string, ClaimedDelivery>();
  for (const { content, deliveries } of events) {
    if (content === undefined) continue;
    for (const delivery of deliveries) {
      const claim = knownOffer({ ...delivery, leaseToken, content }, clock);
      if (claim !== undefined) known.set(delivery.deliveryId, claim);
    }
  }
  return known;
}
