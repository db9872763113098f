/** A longer text is shown in part, because laying it out would hold the page. */
const MAX_CHARACTERS = 100_000;

const TURNING = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * A text of unknown origin as it is shown: characters that turn the direction of what follows are written as their code,
 * such as `⟨U+202E⟩`. `rest` is the number of characters that were left out of a long text; `isWhole` shows them.
 */
export function shownText(text: string, isWhole: boolean): { text: string; rest: number } {
  const part = isWhole ? text : text.slice(0, MAX_CHARACTERS);
  return { text: part.replace(TURNING, codeOf), rest: text.length - part.length };
}

function codeOf(character: string): string {
  return `⟨U+${character.charCodeAt(0).toString(16).toUpperCase()}⟩`;
}
