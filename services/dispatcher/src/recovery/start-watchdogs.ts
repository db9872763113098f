import type { Lifecycle } from '@posthorn/runtime/lifecycle';
import type { ReplaceableConsumer } from './replaceable-consumer.ts';
import { type StartWatchdogDeps, startWatchdog } from './watchdog.ts';

/** The number of jobs for which Postgres has answered, by queue and by shard of the deliver queue. */
export type Progress = { handOver: number; fanOut: number; deliver: number[] };

type StartWatchdogsDeps = Pick<
  StartWatchdogDeps,
  'databaseUrl' | 'producer' | 'clock' | 'timing' | 'logger' | 'giveUp'
> & {
  consumers: { handOver: ReplaceableConsumer; fanOut: ReplaceableConsumer; deliver: readonly ReplaceableConsumer[] };
  progress: Progress;
  /** Whether every slot for attempts is taken. */
  isFull: () => boolean;
  shutdown: { draining: boolean };
  lifecycle: Pick<Lifecycle, 'onStop'>;
};

/** Starts a watchdog for each queue, and for each shard of the deliver queue. */
export function startWatchdogs(deps: StartWatchdogsDeps): void {
  const { consumers, progress, isFull, shutdown, lifecycle, ...common } = deps;
  const watch = (
    consumer: ReplaceableConsumer,
    watched: Pick<StartWatchdogDeps, 'queue' | 'shard' | 'progress' | 'isFull'>,
  ) => {
    const watchdog = startWatchdog({
      ...common,
      ...watched,
      replaceConsumer: async () => (shutdown.draining ? undefined : consumer.replace()),
    });
    lifecycle.onStop('watchdog', () => watchdog.stop());
  };
  watch(consumers.handOver, { queue: 'handOver', progress: () => progress.handOver, isFull });
  watch(consumers.fanOut, { queue: 'fanOut', progress: () => progress.fanOut, isFull: () => false });
  for (const [shard, consumer] of consumers.deliver.entries()) {
    watch(consumer, { queue: 'deliver', shard, progress: () => progress.deliver[shard] ?? 0, isFull });
  }
}
