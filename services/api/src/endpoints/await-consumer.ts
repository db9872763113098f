import { setTimeout as delay } from 'node:timers/promises';
import type { WorkspaceContext } from '../operation/context.ts';

const LOOKS_EVERY_MS = 200;
/** A consumer that has leased the test has this time, as the receiver of a webhook has at most. */
const ANSWERS_WITHIN_MS = 30_000;

/** Waits until a consumer has answered the test, or has not leased it in time. The rows tell which. */
export async function awaitConsumer(
  { db, clock, timing, wakeConsumers }: Pick<WorkspaceContext, 'db' | 'clock' | 'timing' | 'wakeConsumers'>,
  { deliveryId, endpointId }: { deliveryId: string; endpointId: string },
): Promise<void> {
  const beganMs = clock.monotonicMs();
  wakeConsumers([endpointId]);
  for (;;) {
    await delay(LOOKS_EVERY_MS);
    const row = await db.delivery.findUnique({ where: { id: deliveryId }, select: { status: true } });
    const waitedMs = clock.monotonicMs() - beganMs;
    if (row?.status === 'pending' && waitedMs < timing.probeBeginsWithinMs) continue;
    if (row?.status === 'delivering' && waitedMs < timing.probeBeginsWithinMs + ANSWERS_WITHIN_MS) continue;
    return;
  }
}
