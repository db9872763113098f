/** A caller's own key may be as long as a body. */
const MAX_KEY_CHARACTERS = 100;

/** The place of a value in the input, as `details` and messages name it: `config.retrySchedule[2]`. */
export function fieldPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((written, key) => {
    if (typeof key === 'number') return `${written}[${key}]`;
    return `${written}${written === '' ? '' : '.'}${shownKey(String(key))}`;
  }, '');
}

/** The key without control characters and lone surrogates, as JSON writes them, and of a bounded length. */
function shownKey(key: string): string {
  const isCut = key.length > MAX_KEY_CHARACTERS;
  return `${JSON.stringify(key.slice(0, MAX_KEY_CHARACTERS)).slice(1, -1)}${isCut ? '…' : ''}`;
}
