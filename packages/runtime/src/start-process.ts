import { setFlagsFromString } from 'node:v8';
import type { Registry } from 'prom-client';
import { createStoreClock, type StoreClock } from './clock.ts';
import { createLifecycle, type Lifecycle } from './lifecycle.ts';
import { createLogger, createQuietLogger, type Logger, type LogLevel } from './logger.ts';
import { watchClock, watchProcess } from './process-metrics.ts';
import { startTracing, type TracingOptions } from './start-tracing.ts';
import type { Tracing } from './tracing.ts';

export type ProcessOptions = {
  service: 'api' | 'dispatcher';
  settings: TracingOptions['settings'] & { HEAP_GROWTH_PERCENT: number; LOG_LEVEL: LogLevel };
  registry: Registry;
  stopDeadlineMs: number;
};

export type Process = {
  logger: Logger;
  /** For errors that may occur often. */
  quiet: Pick<Logger, 'warn'>;
  lifecycle: Lifecycle;
  /** Has this machine's time until it follows Postgres' clock. */
  clock: StoreClock;
  /** Undefined while no traces are collected. */
  tracing: Tracing | undefined;
};

/**
 * With these flags, V8 collects the types that a function sees from its first call, and optimizes the function after
 * 20,000 bytes of executed bytecode in place of 67,584. The defaults save work in short programs, but a service runs the
 * same functions for days (docs/adr/0013).
 */
export const EARLY_OPTIMIZATION = ['--no-lazy-feedback-allocation', '--interrupt-budget=20000'];

/** Starts the parts that every service has, before its first connection. Call it once for each process. */
export async function startProcess({ service, settings, registry, stopDeadlineMs }: ProcessOptions): Promise<Process> {
  limitHeapGrowth(settings.HEAP_GROWTH_PERCENT);
  for (const flag of EARLY_OPTIMIZATION) setFlagsFromString(flag);
  const logger = createLogger({ service, level: settings.LOG_LEVEL });
  const quiet = createQuietLogger(logger);
  const lifecycle = createLifecycle({ logger, deadlineMs: stopDeadlineMs });
  watchProcess(registry);
  const clock = createStoreClock();
  watchClock(registry, clock);
  const tracing = await startTracing({
    serviceName: `posthorn-${service}`,
    settings,
    clock,
    onError: (error) => quiet.warn('traces could not be sent', { error }),
  });
  // Registered first and therefore stopped last, so that all work until then is traced.
  if (tracing !== undefined) lifecycle.onStop('traces', tracing.stop);
  return { logger, quiet, lifecycle, clock, tracing };
}

/**
 * Makes V8 collect garbage when the heap has grown by this percentage of its live objects. With 0, V8 decides: it lets
 * garbage grow to several times the live objects.
 */
function limitHeapGrowth(percent: number): void {
  if (percent > 0) setFlagsFromString(`--heap-growing-percent=${percent}`);
}
