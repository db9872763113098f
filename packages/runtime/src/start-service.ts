import type { Registry } from 'prom-client';
import { type Clock, type ClockReading, createStoreClock } from './clock.ts';
import { followClock } from './follow-clock.ts';
import { createLifecycle, type Lifecycle } from './lifecycle.ts';
import { createLogger, createQuietLogger, errorFields, type Logger, type LogLevel } from './logger.ts';
import { watchClock } from './process-metrics.ts';
import { startTracing, type TracingOptions } from './start-tracing.ts';
import type { Tracing } from './tracing.ts';

/** A service that is running. */
export type RunningService<Parts> = {
  /** The URL on this machine at which the service listens: the interface of an API, the health of a dispatcher. */
  url: string;
  /** Closes everything that the service has opened. */
  stop: () => Promise<void>;
  /** Internal parts of the service that tests inspect. */
  parts: Parts;
};

/** Parts that a process, a test, or a second service of the same process may replace. Everything else is a setting. */
export type Seams<Metrics, Timing> = {
  logger?: Logger;
  /** Closes the service together with other parts. By default the service has its own lifecycle. */
  lifecycle?: Lifecycle;
  metrics?: Metrics;
  /** By default a clock that follows Postgres' clock. */
  clock?: Clock;
  random?: () => number;
  /** How long the service waits. Missing fields have their production values. */
  timing?: Partial<Timing>;
};

/** The service's sources of time and randomness, and its waiting times. */
export type Time<Timing> = { clock: Clock; random: () => number; timing: Timing };

/** The outputs of a service: logs, metrics and traces. */
export type Report<Metrics> = {
  logger: Logger;
  /** For errors that may occur often. */
  quiet: Pick<Logger, 'warn'>;
  metrics: Metrics;
  /** Undefined while no traces are collected. */
  tracing: Tracing | undefined;
};

export type ServiceOptions<Metrics, Timing> = {
  service: 'api' | 'dispatcher';
  settings: TracingOptions['settings'] & { LOG_LEVEL: LogLevel };
  metrics: Metrics;
  /** How long the service waits in production. */
  timing: Timing;
  seams: Seams<Metrics, Timing>;
};

export type Begun<Metrics, Timing> = {
  time: Time<Timing>;
  report: Report<Metrics>;
  lifecycle: Lifecycle;
  /**
   * Lets the clock follow readings of Postgres' clock until the stop. Resolves after the first reading, or after 2 s.
   */
  follow: (read: () => Promise<ClockReading>) => Promise<void>;
};

/** Makes the parts that every service needs before its first connection. It adds no listener to the process. */
export async function startService<Metrics extends { registry: Registry }, Timing extends { stopDeadlineMs: number }>(
  options: ServiceOptions<Metrics, Timing>,
): Promise<Begun<Metrics, Timing>> {
  const { service, settings, metrics, seams } = options;
  const timing = { ...options.timing, ...seams.timing };
  const logger = seams.logger ?? createLogger({ service, level: settings.LOG_LEVEL });
  const quiet = createQuietLogger(logger);
  const lifecycle = seams.lifecycle ?? createLifecycle({ logger, deadlineMs: timing.stopDeadlineMs });
  const storeClock = createStoreClock();
  const clock = seams.clock ?? storeClock;
  if (clock === storeClock) watchClock(metrics.registry, storeClock);
  const tracing = await startTracing({
    serviceName: `posthorn-${service}`,
    settings,
    clock,
    onError: (error) => quiet.warn('traces could not be sent', { error }),
  });
  // Registered first and therefore stopped last, so that all work until then is traced.
  if (tracing !== undefined) lifecycle.onStop('traces', tracing.stop);
  return {
    time: { clock, random: seams.random ?? Math.random, timing },
    report: { logger, quiet, metrics, tracing },
    lifecycle,
    async follow(read) {
      if (clock !== storeClock) return;
      const onError = (error: unknown) => quiet.warn("Postgres' clock could not be read", errorFields(error));
      const following = await followClock({ clock: storeClock, read, onError });
      lifecycle.onStop('clock', () => following.stop());
    },
  };
}
