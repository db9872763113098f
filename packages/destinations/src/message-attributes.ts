import type { SendRequest } from './kind.ts';
import type { TemplateValues } from './template.ts';

/** For each attribute of a message, the request header that it carries. */
const HEADERS = {
  'webhook-id': 'webhook-id',
  'webhook-timestamp': 'webhook-timestamp',
  'webhook-signature': 'webhook-signature',
  'event-type': 'webhook-event-type',
  traceparent: 'traceparent',
} as const;

/**
 * The attributes or headers of a message, for brokers that support them. With them a consumer verifies the message as
 * it would verify a webhook. No value is empty.
 */
export function messageAttributes({ headers, place, message }: SendRequest): Record<string, string> {
  const named = Object.entries(HEADERS).map(([name, header]) => [name, headers[header] ?? '']);
  const { isTest = false } = message;
  return Object.fromEntries(
    [...named, ['application-id', applicationOf(place.owner)], ['posthorn-test', isTest ? 'true' : '']].filter(
      ([, value]) => value !== '',
    ),
  );
}

/** The public ids of a message. */
export function publicIds({ headers, message }: SendRequest): { eventId: string; deliveryId: string } {
  return {
    eventId: headers['webhook-id'] ?? message.eventId,
    deliveryId: headers['webhook-delivery-id'] ?? message.deliveryId,
  };
}

/**
 * The id by which the other side recognizes a repetition. Automatic attempts share it. A retry that somebody asked for
 * has its own: otherwise the other side would drop it, although the earlier message may be lost or wrong.
 */
export function deduplicationId(request: SendRequest): string {
  const { deliveryId } = publicIds(request);
  const { manualRetries = 0 } = request.message;
  return manualRetries === 0 ? deliveryId : `${deliveryId}-${manualRetries}`;
}

/**
 * Replaces a missing event type of a test message in templates, so that a subject is not empty. The body of a test
 * message names the same type.
 */
const TEST_TYPE = 'posthorn.test';

/** The values that templates of the destination can use. */
export function templateValues(request: SendRequest): TemplateValues {
  const { place, message, body } = request;
  return {
    eventType: message.eventType ?? (message.isTest === true ? TEST_TYPE : ''),
    eventId: publicIds(request).eventId,
    orderingKey: message.orderingKey ?? '',
    applicationId: applicationOf(place.owner),
    date: dayOf(message.eventId),
    payload: message.payload ?? body,
  };
}

function applicationOf(owner: string): string {
  return owner.startsWith('app_') ? owner : '';
}

/** The day of the event in UTC, from its id (RFC 9562, version 7), so that it is the same in every attempt. */
function dayOf(eventId: string): string {
  const ms = Number.parseInt(eventId.replaceAll('-', '').slice(0, 12), 16);
  return new Date(ms).toISOString().slice(0, 10);
}
