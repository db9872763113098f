import type { Lifecycle } from '@posthorn/runtime/lifecycle';
import type { Report, Time } from '@posthorn/runtime/start-service';
import type { Gatherer } from '@posthorn/stats/gather';
import type { DispatcherMetrics } from './metrics.ts';
import type { Stores } from './open-stores.ts';
import type { LowWaterMarks } from './recovery/low-water-mark.ts';
import type { Timing } from './timing.ts';
import type { Watch } from './watch.ts';

/** The services that the parts of the dispatcher share. */
export type Foundations = {
  stores: Stores;
  time: Time<Timing>;
  report: Report<DispatcherMetrics> & { stats: Gatherer };
  lifecycle: Lifecycle;
  watch: Watch;
  /** Where the open rows begin. Set only if rows are the queue. */
  lowWaterMark: LowWaterMarks | undefined;
};
