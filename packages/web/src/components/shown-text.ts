/** Longer texts are shown in part, because laying them out would block the page. */
const MAX_CHARACTERS = 100_000;

const TURNING = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * Makes a text of unknown origin safe to show: characters that change the text direction are written as codes, such as
 * `⟨U+202E⟩`. `rest` is the number of characters left out of a long text; `isWhole` shows them all.
 */
export function shownText(text: string, isWhole: boolean): { text: string; rest: number } {
  const part = isWhole ? text : text.slice(0, MAX_CHARACTERS);
  return { text: part.replace(TURNING, codeOf), rest: text.length - part.length };
}

function codeOf(character: string): string {
  return `⟨U+${character.charCodeAt(0).toString(16).toUpperCase()}⟩`;
}
