import { toId } from '@posthorn/contract/ids';
import { signWebhook } from '@posthorn/crypto/webhook-signature';
import type { ClaimedDelivery, ClaimedEvent } from '@posthorn/ledger/claim';
import type { DeliveryTarget } from './endpoint-cache.ts';

export type RequestInput = {
  delivery: Pick<ClaimedDelivery, 'deliveryId' | 'eventId' | 'attemptNumber'>;
  event: Pick<ClaimedEvent, 'eventType' | 'idempotencyKey' | 'contentType'>;
  target: DeliveryTarget;
  body: Buffer;
  /** The time of the attempt. */
  now: Date;
  /** W3C Trace Context of the attempt, if it is traced. */
  traceparent?: string | undefined;
};

/** The request of one attempt (docs/interface.md, Delivery request). */
export type WebhookRequest = { url: string; headers: Record<string, string>; body: Buffer };

/** Builds and signs the request (Standard Webhooks): every secret that is live at `now` signs. */
export function buildRequest({ delivery, event, target, body, now, traceparent }: RequestInput): WebhookRequest {
  const messageId = toId('msg', delivery.eventId);
  const timestampSeconds = Math.floor(now.getTime() / 1_000);
  const secrets = target.secrets.filter((secret) => secret.expiresAt === null || secret.expiresAt > now);
  return {
    url: target.url,
    headers: {
      ...target.headers,
      ...(event.contentType === null ? {} : { 'content-type': event.contentType }),
      'user-agent': USER_AGENT,
      'webhook-id': messageId,
      'webhook-timestamp': String(timestampSeconds),
      'webhook-signature': signWebhook({
        id: messageId,
        timestampSeconds,
        body,
        secrets: secrets.map((secret) => secret.key),
      }),
      ...(event.eventType === null ? {} : { 'webhook-event-type': event.eventType }),
      'webhook-delivery-id': toId('dlv', delivery.deliveryId),
      'webhook-attempt': String(delivery.attemptNumber),
      'idempotency-key': event.idempotencyKey ?? messageId,
      ...(target.authorization === null ? {} : { authorization: target.authorization }),
      ...(traceparent === undefined ? {} : { traceparent }),
    },
    body,
  };
}

/** The headers without credentials, to be stored and shown. */
export function redactHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, isCredential(name) ? '[redacted]' : value]),
  );
}

/**
 * Customers put their own keys into `config.headers`; the header names show that. The Standard Webhooks headers are
 * public.
 */
function isCredential(header: string): boolean {
  return !PUBLIC_HEADER.test(header) && CREDENTIAL_HEADER.test(header);
}

const PUBLIC_HEADER = /^(webhook-|idempotency-key$)/i;
const CREDENTIAL_HEADER = /auth|token|secret|passw|key|sign|credential|session|cookie|access/i;

const USER_AGENT = 'Posthorn/0.1.0';
