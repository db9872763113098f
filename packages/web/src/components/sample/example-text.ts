/** An event type's example as indented JSON; a small event of that type where it has none. */
export function exampleText(type: { name: string; example: unknown } | undefined): string {
  const example = type?.example ?? { type: type?.name ?? 'test', data: { id: 'example_1' } };
  return JSON.stringify(example, null, 2);
}
