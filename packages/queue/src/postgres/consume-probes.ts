import { toError } from '@posthorn/runtime/describe-error';
import { repeat } from '@posthorn/runtime/repeat';
import type { Consumer, ConsumerOptions } from '../consumer.ts';
import type { ProbeJob } from '../jobs.ts';
import type { Shared } from './shared.ts';

/** A probe without a message is found within this time. */
const EVERY_MS = 1_000;

type Options = Pick<Shared, 'db' | 'bus' | 'processId'> & ConsumerOptions<ProbeJob>;

/** Takes probes, beginning with owners that have few of them. A probe that was taken is never taken again. */
export function consumeProbes({ db, bus, processId, concurrency, handle, onJobError }: Options): Consumer {
  const underWay = new Set<Promise<void>>();
  const begin = (job: ProbeJob) => {
    const handling = handle(job)
      .catch((error: unknown) => onJobError(toError(error)))
      .finally(() => {
        underWay.delete(handling);
        // Other probes may have found no slot.
        if (underWay.size === concurrency - 1) rounds.hurry();
      });
    underWay.add(handling);
  };
  const rounds = repeat({
    async round() {
      const most = concurrency - underWay.size;
      if (most <= 0) return EVERY_MS;
      const taken = await db.$queryRaw<{ task: ProbeJob; rank: number; beginsBy: Date }[]>`
        update probe set taken_by = ${processId}::uuid where id = any(array(
          select id from probe where taken_by is null order by owner_rank, begins_by limit ${most}::int for update skip locked
        )) returning task, owner_rank as rank, begins_by as "beginsBy"`;
      taken.sort((one, other) => one.rank - other.rank || one.beginsBy.getTime() - other.beginsBy.getTime());
      for (const { task } of taken) begin(task);
      return EVERY_MS;
    },
    waitAfterErrorMs: EVERY_MS,
    onError: (error) => onJobError(toError(error)),
  });
  const off = bus.on('probe', () => rounds.hurry());
  const stop = () => {
    off();
    return rounds.stop();
  };
  return {
    async drain() {
      await stop();
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
    close: stop,
  };
}
