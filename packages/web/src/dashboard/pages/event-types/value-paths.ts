const MOST_PATHS = 50;
const MOST_LEVELS = 6;

/** The paths of an example's strings, numbers and booleans, in the notation of search keys and filters. */
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

/** Escapes a key: a dot in it gets a backslash. */
function escaped(key: string): string {
  return key.replaceAll('\\', '\\\\').replaceAll('.', '\\.');
}
