import { copyFileSync, renameSync, statSync, truncateSync } from 'node:fs';

const MAX_BYTES = 20 * 1024 * 1024;
/** The log itself and the rotated ones: `.1` is the newest, `.4` the oldest. */
const FILES = 5;

/**
 * Rotates a log once it has grown to 20 MiB; a program has at most 5 files. The log is copied and truncated, because
 * the program keeps the same file open. Lines written between the copy and the truncation are lost: one or two.
 */
export function rotateLog(logFile: string, mostBytes = MAX_BYTES): void {
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
