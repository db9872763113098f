/** How often a text contains another, ignoring case; 0 for an empty search. */
export function countMatches(text: string, searched: string): number {
  if (searched.trim() === '') return 0;
  return text.toLowerCase().split(searched.trim().toLowerCase()).length - 1;
}
