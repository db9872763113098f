import type { Tools } from '@posthorn/destinations/kind';
import type { Clock } from '@posthorn/runtime/clock';
import type { Lifecycle } from '@posthorn/runtime/lifecycle';
import type { Config } from './config.ts';

/**
 * How requests leave this process: the egress rules and the proxy. They are the same for deliveries, probes and alerts.
 */
export function egressOf(
  config: Config,
  { clock, lifecycle }: { clock: Clock; lifecycle: Pick<Lifecycle, 'onStop'> },
): Tools & { lifecycle: Pick<Lifecycle, 'onStop'> } {
  const { EGRESS_PROXY_URL: proxyUrl, EGRESS_PROXY_CA: ca } = config;
  return {
    rules: config.EGRESS_ALLOW_CIDRS,
    allowPlaintext: config.EGRESS_ALLOW_PLAINTEXT,
    clock,
    lifecycle,
    proxy: proxyUrl && { ...proxyUrl, ca },
  };
}
