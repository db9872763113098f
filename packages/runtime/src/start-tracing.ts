import { z } from 'zod';
import type { Clock } from './clock.ts';
import type { Tracing } from './tracing.ts';

/** OpenTelemetry's own settings, as far as they are read here; the exporter reads the rest of OTEL_EXPORTER_OTLP_*. */
export const tracingSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional(),
  /** The share of events that are traced, 0 to 1: one event is traced by all processes or by none. */
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0(\.\d{1,9})?|1(\.0{1,9})?)$/, 'must be a number from 0 to 1')
    .transform(Number)
    .default(1),
};

export type TracingOptions = {
  serviceName: string;
  settings: z.output<z.ZodObject<typeof tracingSettings>>;
  clock: Clock;
  /** Told of traces that could not be sent: they are dropped, and nothing waits for them. */
  onError: (message: string) => void;
};

/** Undefined while no endpoint is set: OpenTelemetry is then not even loaded, and its callers have nothing to do. */
export async function startTracing(options: TracingOptions): Promise<Tracing | undefined> {
  const endpoint = tracesEndpoint(options.settings);
  if (endpoint === undefined) return undefined;
  const { createOtlpTracing } = await import('./otlp-tracing.ts');
  return createOtlpTracing({ ...options, endpoint, share: options.settings.OTEL_TRACES_SAMPLER_ARG });
}

/** The general endpoint is a base, the one for traces is taken as it is (OTLP exporter specification). */
function tracesEndpoint(settings: TracingOptions['settings']): string | undefined {
  const base = settings.OTEL_EXPORTER_OTLP_ENDPOINT;
  return settings.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (base && `${base.replace(/(?<!\/)\/+$/, '')}/v1/traces`);
}
