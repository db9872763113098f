import { toId, uuidTime } from '@posthorn/contract/ids';
import type { leasedMessage } from '@posthorn/contract/pull';
import { openPayload } from '@posthorn/crypto/open-payload';
import type { SealingKeys } from '@posthorn/crypto/seal';
import type { LeasedDelivery } from '@posthorn/ledger/lease-deliveries';
import type { EndReason } from '@posthorn/ledger/next-state';
import { buildRequest } from '@posthorn/messages/build-request';
import type { DeliveryTarget } from '@posthorn/messages/endpoint-cache';
import { transformationError, transformEvent } from '@posthorn/messages/transform-event';
import type { Clock } from '@posthorn/runtime/clock';
import type { Tracing } from '@posthorn/runtime/tracing';
import type { Transformer } from '@posthorn/transform/open-transformer';
import type { z } from 'zod';

export type LeasedMessage = z.input<typeof leasedMessage>;

type MessageDeps = {
  transformer: Pick<Transformer, 'transform'>;
  keys: SealingKeys;
  clock: Clock;
  retentionDays: number;
  tracing: Tracing | undefined;
};

export type Made =
  | { kind: 'message'; message: LeasedMessage }
  /** Nothing can be given to a consumer, now or later. */
  | { kind: 'ended'; reason: EndReason; cancelReason?: string }
  /** The endpoint's transformation failed: an attempt, which follows the schedule. */
  | { kind: 'untransformed'; message: string }
  /** Other transformations come first. */
  | { kind: 'busy' };

/** A leased delivery as its consumer gets it: the request that a webhook would be, transformed and signed now. */
export async function makeMessage(
  { keys, clock, retentionDays, transformer, tracing }: MessageDeps,
  { leased, target, leaseToken }: { leased: LeasedDelivery; target: DeliveryTarget | undefined; leaseToken: string },
): Promise<Made> {
  const { event, deliveryId, eventId, attemptNumber } = leased;
  if (event === null || leased.eventAgeSeconds >= retentionDays * 86_400) {
    return { kind: 'ended', reason: 'payload_expired' };
  }
  if (target === undefined) return { kind: 'ended', reason: 'invalid_request' };
  const payload = openPayload(keys, eventId, event.payload);
  if (payload === undefined) return { kind: 'ended', reason: 'payload_unreadable' };
  const made = await transformEvent(transformer, target, { ...event, eventId, body: payload });
  if (made?.kind === 'busy') return { kind: 'busy' };
  if (made?.kind === 'cancelled') {
    return { kind: 'ended', reason: 'cancelled_by_transformation', cancelReason: made.reason };
  }
  if (made?.kind === 'failed') return { kind: 'untransformed', message: transformationError(made) };
  const traceparent = tracing && traceLease(tracing, leased);
  const toBuild = { delivery: leased, event, target, body: payload, made, now: clock.now(), traceparent };
  const { headers, body } = buildRequest(toBuild);
  const { 'user-agent': _nobodyCalls, ...given } = headers;
  const message = {
    deliveryId: toId('dlv', deliveryId),
    leaseToken,
    leasedUntil: leased.leasedUntil.toISOString(),
    attemptNumber,
    eventId: toId('msg', eventId),
    eventType: event.eventType,
    createdAt: uuidTime(eventId).toISOString(),
    orderingKey: event.orderingKey,
    headers: given,
    body: body.toString('base64'),
  };
  return { kind: 'message', message };
}

/** Records in the trace of the event that the message was handed out. Returns the W3C Trace Context for its consumer. */
function traceLease(tracing: Tracing, { eventId, event, ...leased }: LeasedDelivery): string {
  const nowMs = tracing.nowMs();
  const span = tracing.start({ name: 'lease', kind: 'producer', eventId, startedMs: nowMs });
  const attributes = {
    'messaging.system': 'posthorn',
    'messaging.operation.type': 'receive',
    'messaging.message.id': toId('msg', eventId),
    ...(event?.eventType ? { 'messaging.destination.name': event.eventType } : {}),
    'posthorn.workspace.id': toId('ws', leased.workspaceId),
    'posthorn.delivery.id': toId('dlv', leased.deliveryId),
    'posthorn.attempt.number': leased.attemptNumber,
    'posthorn.attempt.trigger': leased.trigger,
  };
  span.end({ endedMs: nowMs, attributes });
  return span.traceparent;
}
