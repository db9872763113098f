import type { EventStatus } from '../../../client/resources.ts';

/** The statuses of an event, each with its words. */
export const EVENT_STATUS_WORDS: Readonly<Record<EventStatus, string>> = {
  scheduled: 'Scheduled',
  matching: 'Matching endpoints',
  matched: 'Matched',
  unmatched: 'No endpoint',
  cancelled: 'Cancelled',
};

export function isEventStatus(value: unknown): value is EventStatus {
  return typeof value === 'string' && Object.hasOwn(EVENT_STATUS_WORDS, value);
}
