import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/** Writes a file that only its owner may read, atomically: a reader never sees a part of it. */
export function writePrivateFile(path: string, content: string): void {
  const unfinished = `${path}.${process.pid}.new`;
  writeFileSync(unfinished, content, { mode: 0o600 });
  renameSync(unfinished, path);
}

/** The file's text; undefined if there is no file. Any other fault is thrown. */
export function readIfThere(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
