import type { SendRequest } from './kind.ts';
import type { TemplateValues } from './template.ts';

/** The headers of a request that a message has as attributes, by the attributes' names. */
const HEADERS = {
  'webhook-id': 'webhook-id',
  'webhook-timestamp': 'webhook-timestamp',
  'webhook-signature': 'webhook-signature',
  'event-type': 'webhook-event-type',
  traceparent: 'traceparent',
} as const;

/**
 * The attributes of a message, or its headers, where the other side has some: a consumer verifies the message with them as
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

/** The ids of a message as everybody knows them. */
export function publicIds({ headers, message }: SendRequest): { eventId: string; deliveryId: string } {
  return {
    eventId: headers['webhook-id'] ?? message.eventId,
    deliveryId: headers['webhook-delivery-id'] ?? message.deliveryId,
  };
}

/**
 * The id by which the other side knows a repetition: automatic attempts share it. A retry that somebody asked for has one of
 * its own. Else the other side would drop it, although the earlier message may be lost or may have been wrong.
 */
export function deduplicationId(request: SendRequest): string {
  const { deliveryId } = publicIds(request);
  const { manualRetries = 0 } = request.message;
  return manualRetries === 0 ? deliveryId : `${deliveryId}-${manualRetries}`;
}

/** Stands in templates for the type of a test message that has none, as its body says. A subject is not empty then. */
const TEST_TYPE = 'posthorn.test';

/** What the templates of the destination can name. */
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

/** The day of the event in UTC, from its id (RFC 9562, version 7): the same in every attempt. */
function dayOf(eventId: string): string {
  const ms = Number.parseInt(eventId.replaceAll('-', '').slice(0, 12), 16);
  return new Date(ms).toISOString().slice(0, 10);
}
