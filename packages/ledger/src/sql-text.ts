import { readFileSync } from 'node:fs';

/** The text of `packages/ledger/sql/<name>.sql`. In a bundle this file is replaced by the texts. */
export function sqlText(name: string): string {
  return readFileSync(new URL(`../sql/${name}.sql`, import.meta.url), 'utf8');
}
