/**
 * Replaces control characters. Receivers and producers wrote some of the text, and such characters could change what a
 * terminal shows.
 */
export function safeText(text: string): string {
  return text.replace(/\p{Cc}/gu, (character) => (character === '\n' || character === '\t' ? character : '\ufffd'));
}

export function oneLine(text: string): string {
  return safeText(text).replaceAll('\n', ' ').replaceAll('\t', ' ');
}
