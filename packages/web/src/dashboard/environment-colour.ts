const NAMED = ['production', 'staging', 'development'];

/** The colour of an environment everywhere, so that nobody mistakes production for another environment. */
export function environmentColour(slug: string): string {
  if (NAMED.includes(slug)) return `var(--environment-${slug})`;
  let hash = 0;
  for (const character of slug) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 360;
  return `hsl(${hash} 50% var(--environment-lightness))`;
}
