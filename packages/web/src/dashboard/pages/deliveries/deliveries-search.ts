import { isDeliveryStatus } from '../../../components/delivery-statuses.ts';
import { isClockTime, isRange } from '../../../components/time-range.ts';
import { isText, searchOf } from '../../search-of.ts';

/** The filters. `at` selects the half hours before and after a time. */
export const readDeliveriesSearch = searchOf({
  status: isDeliveryStatus,
  endpoint: isText,
  customer: isText,
  type: isText,
  since: isRange,
  at: isClockTime,
});

export type DeliveriesSearch = ReturnType<typeof readDeliveriesSearch>;
