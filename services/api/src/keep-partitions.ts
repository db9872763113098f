import { keepPartitionsAhead } from '@posthorn/db/partitions';
import type { Lifecycle } from '@posthorn/runtime/lifecycle';
import { errorFields } from '@posthorn/runtime/logger';
import { watchPartitions } from '@posthorn/runtime/process-metrics';
import { repeat } from '@posthorn/runtime/repeat';
import type { Report } from '@posthorn/runtime/start-service';
import type { ApiMetrics } from './metrics.ts';
import type { Timing } from './timing.ts';

type KeepPartitionsDeps = {
  databaseUrl: string;
  timing: Pick<Timing, 'partitionsEveryMs' | 'partitionsAgainMs'>;
  report: Pick<Report<ApiMetrics>, 'metrics' | 'quiet'>;
  lifecycle: Pick<Lifecycle, 'onStop'>;
};

/** Creates partitions in the API too, so that every event has one even when no dispatcher runs for weeks. */
export function keepPartitions({ databaseUrl, timing, report, lifecycle }: KeepPartitionsDeps): void {
  const onPartitionsAhead = watchPartitions(report.metrics.registry);
  const keeping = repeat({
    async round() {
      const faults: unknown[] = [];
      onPartitionsAhead(await keepPartitionsAhead(databaseUrl, (error) => faults.push(error)));
      if (faults.length > 0) throw faults[0];
      return timing.partitionsEveryMs;
    },
    waitAfterErrorMs: timing.partitionsAgainMs,
    onError: (error) => report.quiet.warn('partitions could not be made', errorFields(error)),
  });
  lifecycle.onStop('partitions', () => keeping.stop());
}
