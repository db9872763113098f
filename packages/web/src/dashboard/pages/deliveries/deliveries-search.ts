import type { DeliveryStatus } from '../../../client/resources.ts';
import { isDeliveryStatus } from '../../../components/delivery-statuses.ts';
import { isClockTime, isRange, type Range } from '../../../components/time-range.ts';

/** The filters of the list, as its address has them. */
export type DeliveriesSearch = {
  status?: DeliveryStatus;
  endpoint?: string;
  customer?: string;
  type?: string;
  since?: Range;
  /** A time of the clock: half an hour before and after it. */
  at?: string;
};

/** Reads the filters of an address; what is not one is left out. */
export function readDeliveriesSearch(search: Record<string, unknown>): DeliveriesSearch {
  const { status, endpoint, customer, type, since, at } = search;
  return {
    ...(isDeliveryStatus(status) && { status }),
    ...(typeof endpoint === 'string' && endpoint !== '' && { endpoint }),
    ...(typeof customer === 'string' && customer !== '' && { customer }),
    ...(typeof type === 'string' && type !== '' && { type }),
    ...(isRange(since) && { since }),
    ...(isClockTime(at) && { at }),
  };
}
