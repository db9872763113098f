// Converts names and comments of the API to the forms of a language.

/** The lower-case words of a name such as `endpoint_id` or `Idempotency-Key`. */
function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[ _-]/);
}

function capital(word: string): string {
  return (word[0]?.toUpperCase() ?? '') + word.slice(1);
}

/** `endpointId` */
export function camelCase(name: string): string {
  const [first = '', ...rest] = wordsOf(name);
  return first + rest.map(capital).join('');
}

/** `EndpointId` */
export function pascalCase(name: string): string {
  return wordsOf(name).map(capital).join('');
}

/** `endpoint_id` */
export function snakeCase(name: string): string {
  return wordsOf(name).join('_');
}

/** The paragraphs that are not empty, as lines of at most `width` characters, with empty lines between paragraphs. */
export function commentLines(paragraphs: readonly string[], width: number): string[] {
  return paragraphs
    .filter((paragraph) => paragraph !== '')
    .flatMap((paragraph, n) => [...(n === 0 ? [] : ['']), ...wrap(paragraph.replaceAll('*/', '* /'), width)]);
}

function wrap(paragraph: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of paragraph.split(/\s+/)) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + word.length < width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}
