import { isClockTime, isRange } from '../../../components/time-range.ts';
import { isText, searchOf } from '../../search-of.ts';
import { isEventStatus } from './event-statuses.ts';

/** The filters. `at` selects the half hours before and after a time. */
const readFilters = searchOf({
  type: isText,
  status: isEventStatus,
  key: isText,
  customer: isText,
  since: isRange,
  at: isClockTime,
});

export type EventsSearch = ReturnType<typeof readFilters>;

/** Reads the address. The router parses a key such as `?key=42` as a number. */
export function readEventsSearch(address: Record<string, unknown>): EventsSearch {
  const { key } = address;
  return readFilters(typeof key === 'number' ? { ...address, key: String(key) } : address);
}
