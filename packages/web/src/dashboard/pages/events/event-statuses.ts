import type { EventStatus } from '../../../client/resources.ts';
import { oneOf } from '../../../components/one-of.ts';

/** The statuses of an event, with their labels. */
export const EVENT_STATUS_WORDS: Readonly<Record<EventStatus, string>> = {
  scheduled: 'Scheduled',
  matching: 'Matching endpoints',
  matched: 'Matched',
  unmatched: 'No endpoint',
  cancelled: 'Cancelled',
};

export const isEventStatus = oneOf(EVENT_STATUS_WORDS);
