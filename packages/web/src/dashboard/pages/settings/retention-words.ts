/** A time in hours, such as `36 hours`, or `168 hours (7 days)`. */
function hoursWords(hours: number): string {
  const days = hours / 24;
  const words = `${hours} ${hours === 1 ? 'hour' : 'hours'}`;
  return Number.isInteger(days) ? `${words} (${days} ${days === 1 ? 'day' : 'days'})` : words;
}

/** How long data is kept, where `most` is what the installation keeps; undefined until it is known. */
export function keptWords(hours: number | null, most: number | undefined): string {
  if (hours !== null) return hoursWords(hours);
  const own = 'as long as the installation keeps them';
  return most === undefined ? own : `${hoursWords(most)}, ${own}`;
}

/** What one may write, and what an empty field means. */
export function limitWords(least: number, most: number | undefined): string {
  if (most === undefined) return `At least ${least}. Empty: as long as the installation keeps them.`;
  return `${least} to ${most}. Empty: ${hoursWords(most)}, the installation’s own.`;
}

/** Whether the text is empty or a whole number, which the API then compares with its limits. */
export function isHours(text: string): boolean {
  return Number.isInteger(Number(text));
}

/** Null for an empty text. */
export function toHours(text: string): number | null {
  return text.trim() === '' ? null : Number(text);
}
