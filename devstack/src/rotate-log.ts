import { copyFileSync, renameSync, statSync, truncateSync } from 'node:fs';

const MOST_BYTES = 20 * 1024 * 1024;
/** The log itself and those put aside: `.1` is the youngest, `.4` the oldest. */
const FILES = 5;

/**
 * Puts a log aside once it has grown to 20 MiB, so that a program has 5 files at most. The program that appends to it goes
 * on with the same, now empty file: the log is copied and cut, because a program cannot be told to open another. What
 * is written between the two is lost: a line or two.
 */
export function rotateLog(logFile: string, mostBytes = MOST_BYTES): void {
  const size = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
  if (size < mostBytes) return;
  const copy = `${logFile}.new`;
  copyFileSync(logFile, copy);
  for (let n = FILES - 2; n >= 1; n -= 1) {
    if (statSync(`${logFile}.${n}`, { throwIfNoEntry: false })) renameSync(`${logFile}.${n}`, `${logFile}.${n + 1}`);
  }
  renameSync(copy, `${logFile}.1`);
  truncateSync(logFile);
}
