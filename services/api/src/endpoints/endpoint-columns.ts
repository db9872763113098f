import type { EndpointConfig } from '@posthorn/contract/endpoint-config';

type Before = { isFifo: boolean; now: Date };

/**
 * The columns that a config decides: the config itself, and the fields of it that statements read. Creating, updating and
 * promoting an endpoint write these, so a new column belongs here. What waits when `ordering` is switched off is released
 * by a dispatcher, in pages.
 */
export function endpointColumns(config: EndpointConfig, before?: Before) {
  const isFifo = config.ordering === 'fifo';
  return {
    config: JSON.parse(JSON.stringify(config)),
    timeoutSeconds: config.timeoutSeconds ?? null,
    isFifo,
    ...(before !== undefined && before.isFifo !== isFifo && { orderEndedAt: isFifo ? null : before.now }),
  };
}
