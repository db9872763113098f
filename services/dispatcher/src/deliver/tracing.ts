import { fromId, toId } from '@posthorn/contract/ids';
import type { ClaimedDelivery } from '@posthorn/ledger/claim';
import type { AttemptRecord, Settled, Settlement } from '@posthorn/ledger/settle';
import type { Span, SpanAttributes, Tracing } from '@posthorn/runtime/tracing';
import type { SendResult } from '../send/send.ts';
import type { DeliverDeps } from './deliver.ts';

/** What an attempt passes through, in its order. */
type Steps = Pick<DeliverDeps, 'claim' | 'sender' | 'settle' | 'handBack'>;

/** An attempt under way: from its claim until it is settled or handed back. */
type Open = { span: Span; claim: ClaimedDelivery };

/**
 * The steps of delivering with a span for each attempt, in the event's trace: the request carries its `traceparent`,
 * and its parts are the claim, the phases of the request and the settle. To be put in only where traces are on.
 */
export function traceDelivery({ claim, sender, settle, handBack }: Steps, tracing: Tracing): Steps {
  const openByDelivery = new Map<string, Open>();
  const close = ({ deliveryId, leaseToken }: { deliveryId: string; leaseToken: string }): Open | undefined => {
    const open = openByDelivery.get(deliveryId);
    if (open?.claim.leaseToken !== leaseToken) return undefined;
    openByDelivery.delete(deliveryId);
    return open;
  };
  return {
    async claim(request) {
      const startedMs = tracing.nowMs();
      const claimed = await claim(request);
      if (claimed.kind !== 'claimed') return claimed;
      const span = tracing.start({ name: 'delivery attempt', kind: 'client', eventId: claimed.eventId, startedMs });
      span.child('claim', { startedMs, endedMs: tracing.nowMs() }, { 'posthorn.lost_leases': claimed.lostLeases });
      openByDelivery.set(claimed.deliveryId, { span, claim: claimed });
      return claimed;
    },
    sender: {
      ...sender,
      async send(request) {
        const deliveryId = fromId('dlv', request.headers['webhook-delivery-id'] ?? '');
        const span = deliveryId === undefined ? undefined : openByDelivery.get(deliveryId)?.span;
        if (span === undefined) return sender.send(request);
        const startedMs = tracing.nowMs();
        const { traceparent } = span;
        const result = await sender.send({ ...request, headers: { ...request.headers, traceparent } });
        addPhases(span, result, startedMs);
        return result;
      },
    },
    async settle(settlement) {
      const open = close(settlement);
      if (open === undefined) return settle(settlement);
      const startedMs = tracing.nowMs();
      let settled: Settled | undefined;
      try {
        settled = await settle(withTraceparent(settlement, open.span));
        return settled;
      } finally {
        const endedMs = tracing.nowMs();
        open.span.child('settle', { startedMs, endedMs }, { 'posthorn.settled': settled?.kind ?? 'failed' });
        open.span.end({ endedMs, attributes: describe(open.claim, settlement), error: errorType(settlement) });
      }
    },
    async handBack(lease) {
      const open = close(lease);
      const attributes = { ...(open && describe(open.claim)), 'posthorn.handed_back': true };
      open?.span.end({ endedMs: tracing.nowMs(), attributes });
      return handBack(lease);
    },
  };
}

/** The record tells every header that was sent. */
function withTraceparent(settlement: Settlement, { traceparent }: Span): Settlement {
  const { attempt } = settlement;
  if (attempt === null) return settlement;
  return { ...settlement, attempt: { ...attempt, requestHeaders: { ...attempt.requestHeaders, traceparent } } };
}

/** The phases follow one another; one that did not take place, as on a connection that was kept, has no span. */
function addPhases(span: Span, result: SendResult, startedMs: number): void {
  if (result.kind === 'aborted') return;
  const { dnsMs, connectMs, tlsMs, ttfbMs } = result.timings;
  const phases = { 'dns lookup': dnsMs, 'tcp connect': connectMs, 'tls handshake': tlsMs, 'first byte': ttfbMs };
  let atMs = startedMs;
  for (const [name, durationMs] of Object.entries(phases)) {
    if (durationMs === null) continue;
    span.child(name, { startedMs: atMs, endedMs: atMs + durationMs });
    atMs += durationMs;
  }
}

/** The names of OpenTelemetry's semantic conventions for HTTP clients and messaging, and our own. */
function describe(claim: ClaimedDelivery, settlement?: Settlement): SpanAttributes {
  return {
    'messaging.system': 'posthorn',
    'messaging.operation.type': 'process',
    'messaging.message.id': toId('msg', claim.eventId),
    ...(claim.event?.eventType ? { 'messaging.destination.name': claim.event.eventType } : {}),
    'posthorn.workspace.id': toId('ws', claim.workspaceId),
    'posthorn.endpoint.id': toId('ep', claim.endpointId),
    'posthorn.delivery.id': toId('dlv', claim.deliveryId),
    'posthorn.attempt.number': claim.attemptNumber,
    'posthorn.attempt.trigger': claim.trigger,
    ...(settlement === undefined ? {} : { 'posthorn.delivery.status': settlement.next.status }),
    ...(settlement?.attempt ? describeRequest(settlement.attempt) : {}),
  };
}

function describeRequest({ url, number, responseStatus, remoteAddress }: AttemptRecord): SpanAttributes {
  const { origin, pathname, hostname, port } = new URL(url);
  return {
    'http.request.method': 'POST',
    // Customers put keys into the query; it stays here, as does what stands before the host.
    'url.full': origin + pathname,
    'server.address': hostname,
    'server.port': Number(port || 443),
    ...(number > 1 ? { 'http.request.resend_count': number - 1 } : {}),
    ...(responseStatus === null ? {} : { 'http.response.status_code': responseStatus }),
    ...(remoteAddress === null ? {} : { 'network.peer.address': remoteAddress }),
  };
}

/** The conventions want the status itself where it is what failed. */
function errorType({ attempt, next }: Settlement): string | undefined {
  if (attempt === null) return 'failureReason' in next ? String(next.failureReason) : 'no_request';
  if (attempt.succeeded) return undefined;
  return attempt.errorCode === 'http_status' ? String(attempt.responseStatus) : (attempt.errorCode ?? '_OTHER');
}
