import type { Destination } from '@posthorn/destinations/kind';
import { openWith } from '@posthorn/destinations/webhook/open';
import { parseAllowedCidrs } from '@posthorn/egress/address-rules';
import { systemClock } from '@posthorn/runtime/clock';
import type { Receiver } from '@posthorn/testkit/receiver';

/**
 * The sender of webhooks. Every name leads to this machine, and the receiver's certificate is trusted, unless the test
 * wants otherwise.
 */
export function openLoopbackSender(
  receiver: Receiver,
  other: Partial<Parameters<typeof openWith>[0]> = {},
): Destination {
  return openWith({
    rules: parseAllowedCidrs('127.0.0.0/8'),
    resolve: async () => [{ address: '127.0.0.1', family: 4, ttlSeconds: 60 }],
    clock: systemClock,
    ca: receiver.caPem,
    ...other,
  });
}
