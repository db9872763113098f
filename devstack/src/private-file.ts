import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/** Writes a file that only its owner may read, whole or not at all: a reader never sees half of it. */
export function writePrivateFile(path: string, content: string): void {
  const unfinished = `${path}.${process.pid}.new`;
  writeFileSync(unfinished, content, { mode: 0o600 });
  renameSync(unfinished, path);
}

/** The file's text, or undefined where there is none. Any other fault is thrown. */
export function readIfThere(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
