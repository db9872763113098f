import { setFlagsFromString } from 'node:v8';
import type { Registry } from 'prom-client';
import { createProcessLifecycle, type Lifecycle } from './lifecycle.ts';
import { createLogger, type Logger, type LogLevel } from './logger.ts';
import { watchProcess } from './process-metrics.ts';

export type ProcessOptions = {
  service: 'api' | 'dispatcher' | 'all';
  settings: { HEAP_GROWTH_PERCENT: number; LOG_LEVEL: LogLevel };
  registry: Registry;
  stopDeadlineMs: number;
};

/**
 * With these flags, V8 collects the types that a function sees from its first call, and optimizes the function after
 * 900 calls instead of 3,000. The defaults save work in short programs, but a service runs the
 * same functions for days (docs/adr/0013).
 */
export const EARLY_OPTIMIZATION = ['--no-lazy-feedback-allocation', '--invocation-count-for-turbofan=900'];

/**
 * Prepares this process for one service, before the service starts: it sets V8's flags, adds the metrics of the
 * process, and ends the process on a signal or an uncaught error. Call it once for each process. The service itself is
 * a function that gets the result (services/api/src/start-api.ts), and can also run without it.
 */
export function startProcess(options: ProcessOptions): { logger: Logger; lifecycle: Lifecycle } {
  const { service, settings, registry, stopDeadlineMs: deadlineMs } = options;
  limitHeapGrowth(settings.HEAP_GROWTH_PERCENT);
  for (const flag of EARLY_OPTIMIZATION) setFlagsFromString(flag);
  const logger = createLogger({ service, level: settings.LOG_LEVEL });
  const lifecycle = createProcessLifecycle({ logger, deadlineMs });
  watchProcess(registry);
  return { logger, lifecycle };
}

/**
 * Makes V8 collect garbage when the heap has grown by this percentage of its live objects. With 0, V8 decides: it lets
 * garbage grow to several times the live objects.
 */
function limitHeapGrowth(percent: number): void {
  if (percent > 0) setFlagsFromString(`--heap-growing-percent=${percent}`);
}
