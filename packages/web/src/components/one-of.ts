/** Makes the test of whether a value is one of the names that have words here. */
export function oneOf<Name extends string>(words: Readonly<Record<Name, unknown>>) {
  return (value: unknown): value is Name => typeof value === 'string' && Object.hasOwn(words, value);
}
