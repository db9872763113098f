import { openSync, readlinkSync, readSync } from 'node:fs';

/**
 * Returns a function that tells the computing time of a thread of this process so far, in milliseconds. Undefined where
 * the system does not tell it (only Linux does). Time in which the thread waited for a CPU does not count, so a machine
 * under load fails no transformation.
 */
export function openThreadTime(task: string): (() => number) | undefined {
  try {
    const file = openSync(`/proc/self/task/${task}/schedstat`, 'r');
    const bytes = Buffer.alloc(64);
    const read = () =>
      Number(bytes.toString('latin1', 0, readSync(file, bytes, 0, bytes.length, 0)).split(' ')[0]) / 1e6;
    return Number.isFinite(read()) ? read : undefined;
  } catch {
    return undefined;
  }
}

/** The system's id of the calling thread; undefined where it has none. */
export function ownTask(): string | undefined {
  try {
    return readlinkSync('/proc/thread-self').split('/').at(-1);
  } catch {
    return undefined;
  }
}
