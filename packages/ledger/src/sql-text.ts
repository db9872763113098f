import { readFileSync } from 'node:fs';

/** The text of `packages/ledger/sql/<name>.sql`. In a bundle, the texts replace this file. */
export function sqlText(name: string): string {
  return readFileSync(new URL(`../sql/${name}.sql`, import.meta.url), 'utf8');
}
