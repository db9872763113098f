import type { SkipReason } from '@posthorn/contract/events';

/** What a decision about an endpoint depends on, at one time. */
export type Circumstances = {
  published: boolean;
  /** The application to which the event was sent; null for an event to all. */
  sentTo: string | null;
  endpoint: { applicationId: string | null; isDeleted: boolean; isSubscribed: boolean; isActive: boolean };
};

/** Why the endpoint does not get the event; null when it does. The first reason that holds, in the interface's order. */
export function skipReason({ published, sentTo, endpoint }: Circumstances): SkipReason | null {
  if (!published) return 'event_type_not_published';
  if (endpoint.isDeleted) return 'endpoint_deleted';
  if (sentTo !== null && endpoint.applicationId !== sentTo) return 'other_application';
  if (!endpoint.isSubscribed) return 'not_subscribed';
  if (!endpoint.isActive) return 'endpoint_inactive';
  return null;
}

/** A sentence for people. `eventType` is null for an event that was sent to one endpoint directly. */
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
