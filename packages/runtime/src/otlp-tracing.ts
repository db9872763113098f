import {
  type Span as ApiSpan,
  DiagLogLevel,
  diag,
  type Link,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  type IdGenerator,
  RandomIdGenerator,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Clock } from './clock.ts';
import { answersWithin } from './deadline.ts';
import type { Span, SpanStart, Tracing } from './tracing.ts';

type OtlpOptions = {
  serviceName: string;
  clock: Clock;
  onError: (message: string) => void;
  /** The complete URL to which traces are sent. */
  endpoint: string;
  /** The fraction of events that are traced, 0 to 1. */
  share: number;
};

const EXPORT_TIMEOUT_MS = 5_000;
/** The longest time that a stopping process waits for a collector. */
const STOP_WITHIN_MS = 1_000;
/** The most spans that wait to be sent. Further spans are dropped. A span takes about 1 KiB. */
const MAX_WAITING = 16_384;
/** At a stop, all batches are sent at once. The exporter sends at most 30 at once. */
const BATCH = 1_024;

/** Sends spans in batches, in the background, by OTLP over HTTP as JSON. Load this module only to send traces. */
export function createOtlpTracing({ serviceName, clock, onError, endpoint, share }: OtlpOptions): Tracing {
  reportTo(onError);
  const exporter = new OTLPTraceExporter({ url: endpoint, timeoutMillis: EXPORT_TIMEOUT_MS });
  const ids = createIds();
  const provider = new TracerProvider({
    // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES override this name.
    resource: resourceFromAttributes({ 'service.name': serviceName }).merge(
      detectResources({ detectors: [envDetector] }),
    ),
    // The trace id alone decides, and is the same in all processes: an event is traced completely or not at all.
    sampler: new TraceIdRatioBasedSampler(share),
    idGenerator: ids.generator,
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        maxQueueSize: MAX_WAITING,
        maxExportBatchSize: BATCH,
        scheduledDelayMillis: 1_000,
      }),
    ],
  });
  const tracer = provider.getTracer('posthorn');
  return {
    nowMs: createNow(clock),
    start: (start) => {
      const parent = start.eventId === undefined ? undefined : rootSpanOf(start.eventId);
      ids.next(start.root === true ? parent : undefined);
      const context = parent === undefined || start.root === true ? ROOT_CONTEXT : underRemote(parent);
      const options = { kind: KINDS[start.kind], startTime: start.startedMs, links: linksTo(start) };
      const span = tracer.startSpan(start.name, options, context);
      ids.next(undefined);
      return wrap(tracer, span);
    },
    stop: async () => {
      await answersWithin(provider.shutdown(), STOP_WITHIN_MS);
    },
  };
}

const KINDS = {
  internal: SpanKind.INTERNAL,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

function wrap(tracer: Tracer, span: ApiSpan): Span {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    traceparent: `00-${traceId}-${spanId}-0${traceFlags & TraceFlags.SAMPLED}`,
    child(name, { startedMs, endedMs }, attributes = {}) {
      const options = { startTime: startedMs, attributes };
      tracer.startSpan(name, options, trace.setSpan(ROOT_CONTEXT, span)).end(endedMs);
    },
    end({ endedMs, attributes, error }) {
      span.setAttributes(attributes);
      if (error !== undefined) span.setAttribute('error.type', error).setStatus({ code: SpanStatusCode.ERROR });
      span.end(endedMs);
    },
  };
}

/** A UUID is as long as a trace id. Its second half is never all zeros, because it begins with the variant's bits. */
function rootSpanOf(eventId: string): SpanContext {
  const traceId = eventId.replaceAll('-', '');
  return { traceId, spanId: traceId.slice(16), traceFlags: TraceFlags.SAMPLED, isRemote: true };
}

const underRemote = (parent: SpanContext) => trace.setSpanContext(ROOT_CONTEXT, parent);

/** A W3C Trace Context. From a later version, only the fields of version 00 are read. */
const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-|$)/;

function linksTo({ linkedTraceparent = '' }: SpanStart): Link[] {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(linkedTraceparent) ?? [];
  if (traceId === undefined || spanId === undefined) return [];
  return [{ context: { traceId, spanId, traceFlags: Number.parseInt(flags ?? '0', 16), isRemote: true } }];
}

/** Random ids, except for the root span of an event. A span requests its ids while it is started. */
function createIds(): { generator: IdGenerator; next: (ids: SpanContext | undefined) => void } {
  const random = new RandomIdGenerator();
  let given: SpanContext | undefined;
  return {
    generator: {
      generateTraceId: () => given?.traceId ?? random.generateTraceId(),
      generateSpanId: () => given?.spanId ?? random.generateSpanId(),
    },
    next: (ids) => {
      given = ids;
    },
  };
}

/** The wall clock's time with the resolution of the monotonic clock. If the two differ, the wall clock counts. */
function createNow(clock: Clock): () => number {
  let offsetMs = clock.now().getTime() - clock.monotonicMs();
  return () => {
    const nowMs = offsetMs + clock.monotonicMs();
    const driftMs = clock.now().getTime() - nowMs;
    if (Math.abs(driftMs) < 2) return nowMs;
    offsetMs += driftMs;
    return nowMs + driftMs;
  };
}

/** OpenTelemetry reports its failures only to this one handler of the whole process. */
function reportTo(onError: (message: string) => void): void {
  const tell = (message: string) => onError(message.slice(0, 500));
  const ignore = () => undefined;
  const logger = { error: tell, warn: tell, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}
