/** An unknown key in the input may be as long as the whole body. */
const MAX_KEY_CHARACTERS = 100;

/** The path of a value in the input, as in `details` and messages: `config.retrySchedule[2]`. */
export function fieldPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((written, key) => {
    if (typeof key === 'number') return `${written}[${key}]`;
    return `${written}${written === '' ? '' : '.'}${shownKey(String(key))}`;
  }, '');
}

/** A key for an error message: JSON escapes its control characters and lone surrogates, and a long key is cut. */
function shownKey(key: string): string {
  const isCut = key.length > MAX_KEY_CHARACTERS;
  return `${JSON.stringify(key.slice(0, MAX_KEY_CHARACTERS)).slice(1, -1)}${isCut ? '…' : ''}`;
}
