import { toId } from '@posthorn/contract/ids';
import type { SendResult } from '@posthorn/destinations/kind';
import type { ClaimedDelivery } from '@posthorn/ledger/claim';
import type { AttemptRecord, Settled, Settlement } from '@posthorn/ledger/settle';
import type { Span, SpanAttributes, Tracing } from '@posthorn/runtime/tracing';

/** Call it before the claim. Call the returned function with the claim, to start the attempt's trace. */
export type StartAttemptTrace = () => (claim: ClaimedDelivery) => AttemptTrace;

/** The span of one attempt, from its claim until it is settled or released. */
export type AttemptTrace = {
  /** W3C Trace Context for the request; undefined without tracing. */
  traceparent?: string | undefined;
  /** Sends the request, with a span for each of its phases. */
  send(send: () => Promise<SendResult>): Promise<SendResult>;
  /** Settles the delivery, and ends the span. */
  settle(settlement: Settlement, settle: (settlement: Settlement) => Promise<Settled>): Promise<Settled>;
  /** Ends the span when the lease is released. */
  released(): void;
};

const UNTRACED: AttemptTrace = {
  send: (send) => send(),
  settle: (settlement, settle) => settle(settlement),
  released: () => {},
};

/** Records each attempt as a span in its event's trace. Without tracing, it does nothing. */
export function createAttemptTraces(tracing: Tracing | undefined): StartAttemptTrace {
  if (tracing === undefined) return () => () => UNTRACED;
  return () => {
    const startedMs = tracing.nowMs();
    return (claim) => traceAttempt(tracing, claim, startedMs);
  };
}

function traceAttempt(tracing: Tracing, claim: ClaimedDelivery, startedMs: number): AttemptTrace {
  const span = tracing.start({ name: 'delivery attempt', kind: 'client', eventId: claim.eventId, startedMs });
  span.child('claim', { startedMs, endedMs: tracing.nowMs() }, { 'posthorn.lost_leases': claim.lostLeases });
  return {
    traceparent: span.traceparent,
    async send(send) {
      const sentMs = tracing.nowMs();
      const result = await send();
      addPhases(span, result, sentMs);
      return result;
    },
    async settle(settlement, settle) {
      const settleMs = tracing.nowMs();
      let settled: Settled | undefined;
      try {
        settled = await settle(settlement);
        return settled;
      } finally {
        const endedMs = tracing.nowMs();
        span.child('settle', { startedMs: settleMs, endedMs }, { 'posthorn.settled': settled?.kind ?? 'failed' });
        span.end({ endedMs, attributes: describe(claim, settlement), error: errorType(settlement) });
      }
    },
    released() {
      span.end({ endedMs: tracing.nowMs(), attributes: { ...describe(claim), 'posthorn.released': true } });
    },
  };
}

/** The phases follow one another. A phase that did not happen, as on a reused connection, has no span. */
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

/** Attributes of OpenTelemetry's semantic conventions for HTTP clients and messaging, and attributes of our own. */
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
  const { origin, hostname, port } = new URL(url);
  return {
    'http.request.method': 'POST',
    // Only the origin, because customers may have secrets in the other parts. At Slack and Discord, the path is the
    // secret.
    'url.full': `${origin}/`,
    'server.address': hostname,
    'server.port': Number(port || 443),
    ...(number > 1 ? { 'http.request.resend_count': number - 1 } : {}),
    ...(responseStatus === null ? {} : { 'http.response.status_code': responseStatus }),
    ...(remoteAddress === null ? {} : { 'network.peer.address': remoteAddress }),
  };
}

/** By the conventions, `error.type` is the status code itself if the status is the error. */
function errorType({ attempt, next }: Settlement): string | undefined {
  if (attempt === null) return 'failureReason' in next ? String(next.failureReason) : 'no_request';
  if (attempt.succeeded) return undefined;
  return attempt.errorCode === 'http_status' ? String(attempt.responseStatus) : (attempt.errorCode ?? '_OTHER');
}
