import type { JobsOptions, Queue } from 'bullmq';
import type { Depths } from '../producer.ts';

/** The most jobs in one queue, by kind. A job without room waits in Postgres for the reconciler. */
export type RoomLimits = {
  /** Waiting jobs. */
  waiting: number;
  /** Waiting jobs with a priority. A flood leaves the rest of the room to jobs within their share. */
  flooding: number;
  /**
   * Delayed jobs, counted separately, so that the retries of a failing endpoint take no room from jobs that are due
   * now.
   */
  delayed: number;
  /**
   * While there are at most this many delayed jobs, one that is due later than `FAR_MS` finds room. So retries hours
   * ahead leave room for nearer ones.
   */
  far: number;
};

/** Each job costs Redis about 830 bytes: 42 MB of waiting jobs, and 17 MB of delayed ones. */
export const DELIVER_ROOM: RoomLimits = { waiting: 50_000, flooding: 40_000, delayed: 20_000, far: 10_000 };
/** A fan-out job has at most 9 kB, and Redis adds about 1 kB: 51 MB in total, whatever the events. */
export const FAN_OUT_ROOM: RoomLimits = { waiting: 5_000, flooding: 4_000, delayed: 0, far: 0 };

/** A retry that is due after more than this is far. */
const FAR_MS = 15 * 60_000;
/** The greatest age of a known queue depth. At this age, reading it costs little, and the limit is hardly exceeded. */
const DEPTH_AGE_MS = 500;

export type HasRoom = (job: JobsOptions) => boolean;

/** The number of jobs in a queue now. */
export async function readDepths(queue: Queue): Promise<Depths> {
  const [waiting, delayed] = await Promise.all([
    queue.getJobCountByTypes('wait', 'prioritized'),
    queue.getJobCountByTypes('delayed'),
  ]);
  return { waiting, delayed };
}

/** While a depth is read again, the known one is used for this long, so that no job waits for the read. */
const STALE_MS = 5_000;

/**
 * Checks whether there is room for a job. Reads the depths at most every half second; concurrent callers share a read.
 */
export function createRoomCheck(read: () => Promise<Depths>, limits: RoomLimits, monotonicMs: () => number) {
  let known: { depths: Depths; readAtMs: number } | undefined;
  let reading: Promise<Depths> | undefined;
  const refresh = async (): Promise<Depths> => {
    try {
      const depths = await read();
      known = { depths, readAtMs: monotonicMs() };
      return depths;
    } finally {
      reading = undefined;
    }
  };
  return async (): Promise<HasRoom> => {
    const ageMs = known === undefined ? Number.POSITIVE_INFINITY : monotonicMs() - known.readAtMs;
    if (ageMs >= DEPTH_AGE_MS) reading ??= refresh();
    if (known === undefined || ageMs >= STALE_MS) {
      const depths = await (reading ?? refresh());
      return (job) => hasRoom(job, depths, limits);
    }
    reading?.catch(() => undefined); // Not reported here: adding the jobs fails in the same way.
    const { depths } = known;
    return (job) => hasRoom(job, depths, limits);
  };
}

function hasRoom({ delay = 0, priority = 0 }: JobsOptions, { waiting, delayed }: Depths, limits: RoomLimits): boolean {
  if (delay > 0) return delayed < (delay > FAR_MS ? limits.far : limits.delayed);
  return waiting < (priority > 0 ? limits.flooding : limits.waiting);
}
