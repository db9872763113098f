import type { SkipReason } from '@posthorn/contract/events';
import type { ClauseResult } from '@posthorn/filter/match-filter';

/** The facts on which a decision about an endpoint depends, at one time. */
export type Circumstances = {
  published: boolean;
  /** The application to which the event was sent; null for an event to all. */
  sentTo: string | null;
  endpoint: {
    applicationId: string | null;
    isDeleted: boolean;
    isSubscribed: boolean;
    isActive: boolean;
    /** Whether the subscription's filter, if it has one, matches the payload. */
    matchesFilter: boolean;
  };
};

/** Why the endpoint does not get the event; null when it does. The first reason that holds, in the interface's order. */
export function skipReason({ published, sentTo, endpoint }: Circumstances): SkipReason | null {
  if (!published) return 'event_type_not_published';
  if (endpoint.isDeleted) return 'endpoint_deleted';
  if (sentTo !== null && endpoint.applicationId !== sentTo) return 'other_application';
  if (!endpoint.isSubscribed) return 'not_subscribed';
  if (!endpoint.isActive) return 'endpoint_inactive';
  if (!endpoint.matchesFilter) return 'filtered';
  return null;
}

/** The reason as a sentence for people. `eventType` is null for an event that was sent to one endpoint alone. */
export function explain(reason: SkipReason | null, eventType: string | null): string {
  switch (reason) {
    case null:
      return eventType === null
        ? 'The event was sent to this endpoint directly.'
        : `The endpoint is active and subscribes to ${eventType}, which is published in the environment.`;
    case 'event_type_not_published':
      return `${eventType} was not published in the environment. Publish it there, and later events are delivered.`;
    case 'endpoint_deleted':
      return 'The endpoint was deleted after the event was accepted and before its endpoints were matched.';
    case 'other_application':
      return 'The event was sent to one application, and the endpoint does not belong to it.';
    case 'not_subscribed':
      return `The endpoint did not subscribe to ${eventType}.`;
    case 'endpoint_inactive':
      return 'The endpoint was inactive. Only an active endpoint receives events.';
    case 'filtered':
      return 'The filter of the subscription did not match the payload.';
  }
}

/**
 * Why a filter did not match, for people: the first clause that failed, and what the payload has there. Without
 * `obstacle` the payload is not JSON. A caller that may not read payloads does not get the value.
 */
export function explainFilter(obstacle: ClauseResult | undefined, seesPayload: boolean): string {
  if (obstacle === undefined) return 'The subscription has a filter, and the payload was not JSON.';
  const { path, operator, expected, found } = obstacle;
  const clause = `The filter of the subscription did not match at ${path} (${operator} ${JSON.stringify(expected)})`;
  if (!seesPayload) return `${clause}.`;
  return found === null
    ? `${clause}: the payload had nothing there, or null.`
    : `${clause}: the payload had ${JSON.stringify(found)}.`;
}
