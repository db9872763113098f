import type { DeliveryStatus } from '../../../client/resources.ts';
import { isDeliveryStatus } from '../../../components/delivery-statuses.ts';

/** The ranges of time that a list offers, in milliseconds. */
export const RANGES = { '1h': 3_600_000, '24h': 86_400_000, '3d': 259_200_000 } as const;

export type Range = keyof typeof RANGES;

/** The filters of the list, as its address has them. */
export type DeliveriesSearch = { status?: DeliveryStatus; endpoint?: string; type?: string; since?: Range };

/** Reads the filters of an address; what is not one is left out. */
export function readDeliveriesSearch(search: Record<string, unknown>): DeliveriesSearch {
  const { status, endpoint, type, since } = search;
  return {
    ...(isDeliveryStatus(status) && { status }),
    ...(typeof endpoint === 'string' && endpoint !== '' && { endpoint }),
    ...(typeof type === 'string' && type !== '' && { type }),
    ...(isRange(since) && { since }),
  };
}

/** The start of a range that ends now, at a whole minute, so that a list does not change its filter at every render. */
export function startOf(range: Range | undefined, nowMs: number): string | undefined {
  if (range === undefined) return undefined;
  return new Date(Math.floor((nowMs - RANGES[range]) / 60_000) * 60_000).toISOString();
}

function isRange(value: unknown): value is Range {
  return typeof value === 'string' && Object.hasOwn(RANGES, value);
}
