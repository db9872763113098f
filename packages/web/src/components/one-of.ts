/** Makes a type guard: is a value one of the names in `words`? */
export function oneOf<Name extends string>(words: Readonly<Record<Name, unknown>>) {
  return (value: unknown): value is Name => typeof value === 'string' && Object.hasOwn(words, value);
}
