/** Longer words are not compared: they are not typing errors of a known name, and the comparison is slow. */
const MAX_CHARACTERS = 50;

/**
 * The known name that a caller probably meant by `given`: a name that differs only in case, hyphens and underscores, or
 * else the name with the fewest typing errors, if they are few for its length. Undefined when no name is near.
 */
export function nearestName(given: string, known: readonly string[]): string | undefined {
  if (given.length > MAX_CHARACTERS) return undefined;
  const plain = plainName(given);
  const same = known.find((name) => plainName(name) === plain);
  if (same !== undefined) return same;
  let nearest: string | undefined;
  let fewest = Math.floor(plain.length / 4) + 1;
  for (const name of known) {
    // If two names are equally near, the first one wins.
    const slips = slipsBetween(plain, plainName(name));
    if (slips < fewest || (slips === fewest && nearest === undefined)) {
      nearest = name;
      fewest = slips;
    }
  }
  return nearest;
}

/** A name without case, hyphens and underscores. */
export function plainName(name: string): string {
  return name.toLowerCase().replaceAll('_', '').replaceAll('-', '');
}

/** The number of letters to add, remove, change or swap with the next one to turn one word into the other. */
export function slipsBetween(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      const changed = (last[j - 1] ?? 0) + (isSame ? 0 : 1);
      const swaps = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = swaps ? (beforeLast[j - 2] ?? 0) + 1 : changed;
      row.push(Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, changed, swapped));
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
