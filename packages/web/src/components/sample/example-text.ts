/** An event type's example as indented JSON; a small sample event if the type has none. */
export function exampleText(type: { name: string; example: unknown } | undefined): string {
  const example = type?.example ?? { type: type?.name ?? 'test', data: { id: 'example_1' } };
  return JSON.stringify(example, null, 2);
}
