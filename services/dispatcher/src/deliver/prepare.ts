import { openPayload } from '@posthorn/crypto/open-payload';
import type { SealingKeys } from '@posthorn/crypto/seal';
import type { ClaimedDelivery } from '@posthorn/ledger/claim';
import type { ClaimedEvent } from '@posthorn/ledger/claimed-event';
import type { EndReason } from '@posthorn/ledger/next-state';
import { buildRequest, type RequestInput, type WebhookRequest } from '@posthorn/messages/build-request';
import { type DeliveryTarget, type EndpointCache, isLimited } from '@posthorn/messages/endpoint-cache';
import { faultOfPayload } from '@posthorn/messages/payload-format';
import { transformationError, transformEvent } from '@posthorn/messages/transform-event';
import type { Clock } from '@posthorn/runtime/clock';
import { errorFields, type Logger } from '@posthorn/runtime/logger';
import type { Transformer } from '@posthorn/transform/open-transformer';
import type { EndedResult } from './classify.ts';
import type { Later } from './defer-delivery.ts';
import type { ReadLargePayload } from './large-payloads.ts';

export type PrepareDeps = {
  endpoints: Pick<EndpointCache, 'atRevision' | 'isAtRevision'>;
  readLargePayload: ReadLargePayload;
  transformer: Pick<Transformer, 'transform'>;
  keys: SealingKeys;
  clock: Clock;
  settings: { retentionDays: number };
};

export type Prepared =
  | { kind: 'ready'; request: WebhookRequest; target: DeliveryTarget }
  /** The endpoint's transformation failed, or cancelled the event. `result` is the attempt. */
  | ({ kind: 'untransformed'; cancelReason: string | undefined } & Unsent)
  /** Transformations of others run first. */
  | { kind: 'later'; later: Later }
  /** No request can be made, now or later. */
  | { kind: 'ended'; reason: EndReason }
  /** The endpoint has limits that admission did not apply, or has changed since the claim. */
  | { kind: 'limits_changed' };

/** An attempt that ended before anything was sent. */
type Unsent = { request: WebhookRequest; target: DeliveryTarget; result: EndedResult };

type PrepareOptions = {
  /** The revision of the endpoint whose limits were applied; `any` for a request that the limits do not delay. */
  admittedRevision: string | 'any' | undefined;
  traceparent?: string | undefined;
};

/** The delay and the reason if a store did not answer. The delay is about the time of a restart. */
const STORE_AWAY: Later = { delaySeconds: 5, reason: 'store_away' };
/** A transformation waits in this process for about 3 s at most. */
const TRANSFORMATIONS_BUSY: Later = { delaySeconds: 5, reason: 'transformations_busy' };

/**
 * As `prepare`, but if our own fault prevents the request, the delivery is due later: a lost lease would count against
 * it.
 */
export async function prepareOrDefer(
  deps: PrepareDeps & { logger: Pick<Logger, 'warn'> },
  claim: ClaimedDelivery,
  options: PrepareOptions,
): Promise<Prepared> {
  try {
    return await prepare(deps, claim, options);
  } catch (error) {
    deps.logger.warn('a request could not be prepared yet', errorFields(error));
    return { kind: 'later', later: STORE_AWAY };
  }
}

/** Makes the request of a claimed delivery. Rejects while Postgres is away. */
export async function prepare(
  deps: PrepareDeps,
  claim: ClaimedDelivery,
  { admittedRevision, traceparent }: PrepareOptions,
): Promise<Prepared> {
  const { event } = claim;
  const isGone = event === null || event.isErased || secondsToRetentionEnd(deps, claim) <= 0;
  if (isGone) return { kind: 'ended', reason: 'payload_expired' };
  const found = await deps.endpoints.atRevision(claim.endpointId, claim.endpointRevision);
  if (found.kind !== 'found') return { kind: 'ended', reason: 'invalid_request' };
  const { target } = found;
  if (admittedRevision !== 'any') {
    // The length of the lease comes from the timeout at the claim.
    if (target.revision !== claim.endpointRevision) return { kind: 'limits_changed' };
    if (target.revision !== admittedRevision && isLimited(target)) return { kind: 'limits_changed' };
  }
  const payload = await payloadOf(deps, claim, event);
  if (payload === undefined) return { kind: 'ended', reason: 'payload_expired' };
  const body = openPayload(deps.keys, claim.eventId, payload);
  if (body === undefined) return { kind: 'ended', reason: 'payload_unreadable' };
  const { workspaceId, environmentId } = target;
  const ingested = { ...event, ...{ eventId: claim.eventId, workspaceId, environmentId, body, isIngested: true } };
  const fault = faultOfPayload(target.payloadFormat, ingested);
  if (fault !== undefined) return { kind: 'ended', reason: fault };
  const made = await transformEvent(deps.transformer, target, { ...event, eventId: claim.eventId, body });
  const now = deps.clock.now();
  const toBuild = { delivery: claim, event, target, body, now, traceparent, isTest: claim.trigger === 'test' };
  switch (made?.kind) {
    case undefined:
    case 'made':
      return { kind: 'ready', request: buildRequest({ ...toBuild, made }), target };
    case 'busy':
      // Only a delivery that is not a test is deferred.
      if (admittedRevision !== 'any') return { kind: 'later', later: TRANSFORMATIONS_BUSY };
      return { kind: 'untransformed', cancelReason: undefined, ...notSent(toBuild, BUSY) };
    case 'cancelled':
    case 'failed': {
      const cancelReason = made.kind === 'cancelled' ? made.reason : undefined;
      const message =
        made.kind === 'cancelled'
          ? `The transformation cancelled the event: ${made.reason}`
          : transformationError(made);
      return { kind: 'untransformed', cancelReason, ...notSent(toBuild, message) };
    }
  }
}

const BUSY = 'Too many transformations wait. Try again in a few seconds.';

function notSent(toBuild: RequestInput, message: string): Unsent {
  const timings = { dnsMs: null, connectMs: null, tlsMs: null, ttfbMs: null };
  return {
    request: { ...buildRequest(toBuild), headers: {}, body: Buffer.alloc(0) },
    target: toBuild.target,
    result: {
      ...{ kind: 'error', errorCode: 'transformation_failed', message, response: null },
      ...{ durationMs: 0, timings, remoteAddress: null },
    },
  };
}

/** The sealed payload; null if the body was empty, undefined if retention has deleted it. */
async function payloadOf(
  { readLargePayload }: PrepareDeps,
  { eventId, workspaceId }: ClaimedDelivery,
  { payload, leftOutBytes }: ClaimedEvent,
) {
  return leftOutBytes === null ? payload : readLargePayload({ eventId, workspaceId, bytes: leftOutBytes });
}

/** Seconds from the claim until the event's retention ends, by Postgres' clock. */
export function secondsToRetentionEnd(
  { settings }: Pick<PrepareDeps, 'settings'>,
  { eventAgeSeconds }: ClaimedDelivery,
): number {
  return settings.retentionDays * 86_400 - eventAgeSeconds;
}
