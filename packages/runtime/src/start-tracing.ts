import { z } from 'zod';
import type { Clock } from './clock.ts';
import { checkedBy } from './parsed-setting.ts';
import type { Tracing } from './tracing.ts';
import { checkWebUrl } from './web-url.ts';

/** The OpenTelemetry settings that are read here; the exporter reads the other OTEL_EXPORTER_OTLP_* itself. */
export const tracingSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: checkedBy((text) => checkWebUrl(text, { isBase: true }))
    .optional()
    .describe(
      'Where OpenTelemetry traces go, by OTLP over HTTP; `/v1/traces` is added. Unset, there are none. Headers for the collector: `OTEL_EXPORTER_OTLP_HEADERS`.',
    ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: checkedBy((text) => checkWebUrl(text))
    .optional()
    .describe('The same as a whole URL, used unchanged.'),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0(\.\d{1,9})?|1(\.0{1,9})?)$/, 'must be a number from 0 to 1')
    .transform(Number)
    .meta({ values: '0 to 1' })
    .default(1)
    .describe('The fraction of events that are traced. An event is traced by all processes or by none.'),
};

export type TracingOptions = {
  serviceName: string;
  settings: z.output<z.ZodObject<typeof tracingSettings>>;
  clock: Clock;
  /** Called when traces could not be sent. They are dropped, and no work waits for them. */
  onError: (message: string) => void;
};

/** Undefined while no endpoint is set. OpenTelemetry is then not loaded, and no spans are made. */
export async function startTracing(options: TracingOptions): Promise<Tracing | undefined> {
  const endpoint = tracesEndpoint(options.settings);
  if (endpoint === undefined) return undefined;
  const { createOtlpTracing } = await import('./otlp-tracing.ts');
  return createOtlpTracing({ ...options, endpoint, share: options.settings.OTEL_TRACES_SAMPLER_ARG });
}

/** The general endpoint is a base URL. The endpoint for traces is used unchanged (OTLP exporter specification). */
function tracesEndpoint(settings: TracingOptions['settings']): string | undefined {
  const base = settings.OTEL_EXPORTER_OTLP_ENDPOINT;
  return settings.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (base && `${base.replace(/(?<!\/)\/+$/, '')}/v1/traces`);
}
