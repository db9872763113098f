/** The facts of a span. Never a payload, a secret or a credential: traces leave for another system. */
export type SpanAttributes = Record<string, string | number | boolean>;

export type SpanStart = {
  name: string;
  kind: 'internal' | 'client' | 'producer' | 'consumer';
  /** The UUID of the event whose trace it belongs to; without one the span stands alone. */
  eventId: string | undefined;
  /** The span that an event's other spans hang from; one for each event. */
  root?: boolean;
  startedMs: number;
  /** A W3C `traceparent` of somebody else, which becomes a link; ignored when it is malformed. */
  linkedTraceparent?: string | undefined;
};

export type Span = {
  /** W3C Trace Context, for whoever is asked in the course of this span. */
  traceparent: string;
  /** A part of it that has ended. */
  child(name: string, times: { startedMs: number; endedMs: number }, attributes?: SpanAttributes): void;
  /** `error` is what `error.type` is to say: a short code, never a message. */
  end(end: { endedMs: number; attributes: SpanAttributes; error?: string | undefined }): void;
};

/**
 * Records what became of events as OpenTelemetry traces. An event's trace id is its UUID, and its root span's id that
 * UUID's second half: whoever knows a `msg_…` knows the trace, a retry days later still lands in it, and no job has to
 * carry a context.
 */
export type Tracing = {
  /** The time as spans want it: milliseconds since 1970, with a fraction. */
  nowMs(): number;
  start(start: SpanStart): Span;
  /** Sends what is left, for as long as the exporter's own timeout allows. */
  stop(): Promise<void>;
};
