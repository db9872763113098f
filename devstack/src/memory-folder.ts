import { statfsSync } from 'node:fs';
import { freemem } from 'node:os';

/** Linux' file system in memory. */
export const MEMORY = '/dev/shm';

const TMPFS = 0x01_02_19_94;
/**
 * The free memory that is needed: the stores of a run of all tests use less than 3 GiB, and the tests need memory too.
 */
const NEEDED_BYTES = 6 * 1024 ** 3;

/**
 * The folder in memory, if there is room for the stores of the tests; else undefined. Each test file makes a database
 * of 1,500 files and deletes it. In memory that takes a tenth of the CPU: ext4 does not reuse the inode of a deleted
 * file for some seconds, and checks each of them when it makes a file.
 */
export function findMemoryFolder(): string | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    const { type, bavail, bsize } = statfsSync(MEMORY);
    const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY;
    const hasRoom = Math.min(bavail * bsize, freemem(), limit) >= NEEDED_BYTES;
    return type === TMPFS && hasRoom ? MEMORY : undefined;
  } catch {
    return undefined; // It is not mounted.
  }
}
