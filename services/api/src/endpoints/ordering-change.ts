import type { EndpointConfig } from '@posthorn/contract/endpoint-config';

/** The columns that a new config changes. What waits when `ordering` is switched off is released by a dispatcher, in pages. */
export function orderingChange({ ordering }: EndpointConfig, before: { isFifo: boolean }, now: Date) {
  const isFifo = ordering === 'fifo';
  if (isFifo === before.isFifo) return {};
  return { isFifo, orderEndedAt: isFifo ? null : now };
}
