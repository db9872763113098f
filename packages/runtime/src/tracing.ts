/** The attributes of a span. Never a payload, a secret or a credential: traces are sent to another system. */
export type SpanAttributes = Record<string, string | number | boolean>;

export type SpanStart = {
  name: string;
  kind: 'internal' | 'client' | 'producer' | 'consumer';
  /** The UUID of the event whose trace has the span. Without it, the span is a trace of its own. */
  eventId: string | undefined;
  /** Whether this is the event's root span, the parent of the event's other spans. An event has one root span. */
  root?: boolean;
  startedMs: number;
  /** A W3C `traceparent` from another system, which becomes a link; ignored when it is malformed. */
  linkedTraceparent?: string | undefined;
};

export type Span = {
  /** The W3C `traceparent` for requests that are made within this span. */
  traceparent: string;
  /** Adds a child span that has ended. */
  child(name: string, times: { startedMs: number; endedMs: number }, attributes?: SpanAttributes): void;
  /** `error` is the value of `error.type`: a short code, never a message. */
  end(end: { endedMs: number; attributes: SpanAttributes; error?: string | undefined }): void;
};

/**
 * Records the processing of events as OpenTelemetry traces. An event's trace id is its UUID, and its root span's id is
 * the second half of that UUID. So the `msg_…` id identifies the trace, a retry days later is in the same trace, and
 * no job must hold a context.
 */
export type Tracing = {
  /** The time for spans: milliseconds since 1970, with a fraction. */
  nowMs(): number;
  start(start: SpanStart): Span;
  /** Sends the remaining spans, within the exporter's own timeout. */
  stop(): Promise<void>;
};
