import { toId } from '@posthorn/contract/ids';
import type { Message, Place } from '@posthorn/destinations/kind';
import { hasDestination } from '@posthorn/destinations/kinds';
import type { ClaimedDelivery } from '@posthorn/ledger/claim';
import type { ClaimedEvent } from '@posthorn/ledger/claimed-event';
import { type Outcome, withPath } from '@posthorn/transform/outcome';
import type { DeliveryTarget } from './endpoint-cache.ts';
import { formatPayload } from './payload-format.ts';
import { signatureHeaders } from './signature-headers.ts';

export type RequestInput = {
  delivery: Pick<ClaimedDelivery, 'deliveryId' | 'eventId' | 'attemptNumber' | 'manualRetries'>;
  event: Pick<ClaimedEvent, 'eventType' | 'idempotencyKey' | 'orderingKey' | 'contentType'>;
  target: DeliveryTarget;
  /** The payload as ingested. */
  body: Buffer;
  /** The result of the endpoint's transformation. */
  made?: Extract<Outcome, { kind: 'made' }> | undefined;
  /** The time of the attempt. */
  now: Date;
  /** True if a person asked for this delivery to try the endpoint. */
  isTest?: boolean | undefined;
  /** W3C Trace Context of the attempt; absent if it is not traced. */
  traceparent?: string | undefined;
};

/** The request of one attempt (docs/interface.md, Delivery request). */
export type WebhookRequest = {
  place: Place;
  message: Message;
  url: string;
  headers: Record<string, string>;
  /** The headers whose values are secret, in lower case. */
  secretHeaders: ReadonlySet<string>;
  /** The headers that Posthorn signs with, in lower case. Their values are public. */
  signatureHeaders: ReadonlySet<string>;
  body: Buffer;
  /** A transformation made the body, so nothing else shows what was sent. */
  isTransformed: boolean;
};

/** Builds and signs the request. Every secret and key that is live at `now` signs. */
export function buildRequest({
  delivery,
  event,
  target,
  body: payload,
  made,
  now,
  traceparent,
  isTest = false,
}: RequestInput): WebhookRequest {
  const { deliveryId, eventId, attemptNumber, manualRetries = 0 } = delivery;
  const messageId = toId('msg', eventId);
  const timestampSeconds = Math.floor(now.getTime() / 1_000);
  const secrets = target.secrets.filter((secret) => secret.expiresAt === null || secret.expiresAt > now);
  const { workspaceId, environmentId } = target;
  const { eventType, orderingKey } = event;
  // Destinations without HTTP get no headers of the customer, and few of Posthorn's.
  const hasHeaders = !hasDestination(target.place.kind);
  const { body, contentType } = formatPayload(target.payloadFormat, {
    ...{ eventId, workspaceId, environmentId, eventType },
    contentType: made === undefined ? event.contentType : made.contentType,
    body: made?.body ?? payload,
    isIngested: made === undefined,
  });
  const message = { id: messageId, timestampSeconds, contentType, body, secrets };
  const signed = signatureHeaders(message, target);
  return {
    place: target.place,
    message: {
      ...{ deliveryId, eventId, eventType, orderingKey, attemptNumber, manualRetries, isTest },
      payload: made?.body ?? payload,
    },
    url: withPath(target.url, made?.path ?? null),
    headers: {
      ...(hasHeaders ? withHeaders(target, made?.headers ?? {}, signed) : {}),
      ...(contentType === null ? {} : { 'content-type': contentType }),
      ...(hasHeaders ? { 'user-agent': USER_AGENT } : {}),
      ...signed,
      ...(event.eventType === null ? {} : { 'webhook-event-type': event.eventType }),
      'webhook-delivery-id': toId('dlv', deliveryId),
      ...(hasHeaders
        ? { 'webhook-attempt': String(attemptNumber), 'idempotency-key': event.idempotencyKey ?? messageId }
        : {}),
      ...(target.authorization === null ? {} : { authorization: target.authorization }),
      ...(traceparent === undefined ? {} : { traceparent }),
    },
    secretHeaders: target.secretHeaders,
    signatureHeaders: new Set(Object.keys(signed)),
    body,
    isTransformed: made !== undefined,
  };
}

/** The endpoint's headers, with those of the transformation added. A transformation never replaces a secret header. */
function withHeaders(
  { headers, secretHeaders }: DeliveryTarget,
  added: Readonly<Record<string, string>>,
  signed: Readonly<Record<string, string>>,
): Record<string, string> {
  const given = Object.entries(added);
  if (given.length === 0) return headers;
  const taken = new Set([...secretHeaders, ...Object.keys(signed).map((name) => name.toLowerCase())]);
  const mine = given.filter(([name]) => !taken.has(name.toLowerCase()));
  const replaced = new Set(mine.map(([name]) => name.toLowerCase()));
  const kept = Object.entries(headers).filter(([name]) => !replaced.has(name.toLowerCase()));
  return Object.fromEntries([...kept, ...mine]);
}

type Headers = Pick<WebhookRequest, 'headers' | 'secretHeaders' | 'signatureHeaders'>;

/** The headers as they are stored and shown: without credentials. */
export function redactHeaders(request: Headers): Record<string, string> {
  return Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      isSecretHeader(name, request) ? '[redacted]' : value,
    ]),
  );
}

/** True if the header is declared secret, or if its name suggests a credential. */
export function isSecretHeader(name: string, { secretHeaders, signatureHeaders }: Omit<Headers, 'headers'>): boolean {
  const lower = name.toLowerCase();
  return secretHeaders.has(lower) || (!signatureHeaders.has(lower) && isCredential(name));
}

/**
 * Customers put their own keys into `config.headers`, in headers whose names suggest a credential. The headers of
 * Standard Webhooks have such names, too, but are public.
 */
function isCredential(header: string): boolean {
  return !PUBLIC_HEADER.test(header) && CREDENTIAL_HEADER.test(header);
}

const PUBLIC_HEADER = /^(webhook-|idempotency-key$)/i;
const CREDENTIAL_HEADER = /auth|token|secret|passw|key|sign|credential|session|cookie|access/i;

export const USER_AGENT = 'Posthorn/0.3.0';
