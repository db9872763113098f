import type { Clock } from '@posthorn/runtime/clock';
import type { Receipt } from './demo-receiver.ts';
import { green, red, say } from './say.ts';

const AT_MOST_EVERY_MS = 250;

/**
 * Shows the webhooks that arrive at the demo receiver in the terminal, at most a few lines per second; others are
 * counted.
 */
export function createReceiptLines(clock: Clock): (receipt: Receipt) => void {
  let shownAtMs = Number.NEGATIVE_INFINITY;
  let unshown = 0;
  return ({ eventType, messageId, bytes, verified }) => {
    if (clock.monotonicMs() - shownAtMs < AT_MOST_EVERY_MS) {
      unshown += 1;
      return;
    }
    const more = unshown > 0 ? ` (and ${unshown} more)` : '';
    const verdict = verified ? green('signature verified') : red('signature NOT verified');
    say('receiver', `${eventType} ${messageId}, ${bytes} bytes: ${verdict}${more}`);
    shownAtMs = clock.monotonicMs();
    unshown = 0;
  };
}
