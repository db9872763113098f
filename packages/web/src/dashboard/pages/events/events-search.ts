import type { EventStatus } from '../../../client/resources.ts';
import { isClockTime, isRange, type Range } from '../../../components/time-range.ts';
import { isEventStatus } from './event-statuses.ts';

/** The filters of the list, as its address has them. */
export type EventsSearch = {
  type?: string;
  status?: EventStatus;
  key?: string;
  customer?: string;
  since?: Range;
  /** A time of the clock: half an hour before and after it. */
  at?: string;
};

/** Reads the filters of an address; what is not one is left out. */
export function readEventsSearch(search: Record<string, unknown>): EventsSearch {
  const { type, status, key, customer, since, at } = search;
  return {
    ...(isText(type) && { type }),
    ...(isEventStatus(status) && { status }),
    // An address like ?key=42 is read as a number.
    ...((isText(key) || typeof key === 'number') && { key: String(key) }),
    ...(isText(customer) && { customer }),
    ...(isRange(since) && { since }),
    ...(isClockTime(at) && { at }),
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
