const MOST_PATHS = 50;
const MOST_LEVELS = 6;

/** The paths of the texts, numbers and booleans of an example, as a search key and a filter write them. */
export function valuePaths(example: unknown): string[] {
  const found: string[] = [];
  const visit = (value: unknown, path: readonly string[]) => {
    if (found.length >= MOST_PATHS || path.length > MOST_LEVELS) return;
    if (['string', 'number', 'boolean'].includes(typeof value)) found.push(path.join('.'));
    else if (Array.isArray(value)) {
      if (value.some((one) => typeof one !== 'object')) found.push(path.join('.'));
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, one] of Object.entries(value)) visit(one, [...path, escaped(key)]);
    }
  };
  visit(example, []);
  return found.filter((path) => path !== '');
}

/** A dot within a key has a backslash before it. */
function escaped(key: string): string {
  return key.replaceAll('\\', '\\\\').replaceAll('.', '\\.');
}
