/** The words as the name of a type: `not_found` is `NotFound`, `createEndpoint` is `CreateEndpoint`. */
export function typeName(words: string): string {
  const capitalized = words.split(/[^A-Za-z0-9]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return capitalized.join('');
}
