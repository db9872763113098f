import { createHash } from 'node:crypto';
import { Failure } from './failure.ts';

/**
 * Puts given keys (`id:base64[,id:base64]`) in front of the kept ones and drops none: the first key seals, all of them
 * open. `notes` tells the user which keys stay. A given key with the id of another kept key gets an id derived from
 * the key itself; without `mayRename` that is a Failure. A malformed entry stays as it is, for the services to report.
 */
export function joinKeys(
  name: string,
  given: string | undefined,
  kept: string,
  mayRename: boolean,
): { keys: string; notes: string[] } {
  if (given === undefined || given === kept) return { keys: kept, notes: [] };
  const keptEntries = entriesOf(kept);
  const renamed: string[] = [];
  const front = entriesOf(given).map((entry) => {
    const id = idOf(entry);
    const clashes = keptEntries.some((other) => idOf(other) === id && other !== entry);
    if (!clashes) return entry;
    if (!mayRename) {
      throw new Failure(
        `${name}: the key with the id ${id} is not the key that this home has kept with that id.`,
        `Write the given key with another id (id:base64), or unset ${name}.`,
        2,
      );
    }
    const keyText = entry.slice(id.length + 1);
    const newId = `k${createHash('sha256').update(keyText).digest('hex').slice(0, 8)}`;
    renamed.push(`${name}: the given key ${id} is kept as ${newId}, because this home has another key ${id}`);
    return `${newId}:${keyText}`;
  });
  const behind = keptEntries.filter((entry) => !front.includes(entry));
  const keys = [...front, ...behind].join(',');
  if (keys === kept) return { keys, notes: [] };
  const stay = behind.length === 1 ? 'the kept key stays' : `${behind.length} kept keys stay`;
  const note = `${name}: the given key comes first now; ${stay} behind it, and what they sealed stays readable`;
  return { keys, notes: behind.length === 0 ? renamed : [...renamed, note] };
}

function entriesOf(keys: string): string[] {
  return keys.split(',').map((entry) => entry.trim());
}

function idOf(entry: string): string {
  return entry.split(':', 1)[0] ?? '';
}
