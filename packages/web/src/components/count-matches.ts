/** How often a text contains another, whatever the case; 0 for an empty one. */
export function countMatches(text: string, searched: string): number {
  if (searched.trim() === '') return 0;
  return text.toLowerCase().split(searched.trim().toLowerCase()).length - 1;
}
