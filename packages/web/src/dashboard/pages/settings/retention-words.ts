import { field } from '../../../components/draft.ts';

/** A duration in hours, such as `36 hours`, or `168 hours (7 days)`. */
function hoursWords(hours: number): string {
  const days = hours / 24;
  const words = `${hours} ${hours === 1 ? 'hour' : 'hours'}`;
  return Number.isInteger(days) ? `${words} (${days} ${days === 1 ? 'day' : 'days'})` : words;
}

/** How long data is kept. `most` is the installation's own limit; undefined until it is known. */
export function keptWords(hours: number | null, most: number | undefined): string {
  if (hours !== null) return hoursWords(hours);
  const own = 'as long as the installation keeps them';
  return most === undefined ? own : `${hoursWords(most)}, ${own}`;
}

export type Hours = { payloadRetentionHours: number | null; retentionHours: number | null };

/** What a change erases of what is kept now; null where nothing is kept for a shorter time. */
export function erasedWords(before: Hours, change: Partial<Hours>, most: number | undefined): string | null {
  const kept = (hours: number | null) => Math.min(hours ?? Number.POSITIVE_INFINITY, most ?? Number.POSITIVE_INFINITY);
  const shorter = (name: keyof Hours) => {
    const next = change[name];
    return next !== undefined && kept(next) < kept(before[name]) ? hoursWords(kept(next)) : null;
  };
  const [payloads, lists] = [shorter('payloadRetentionHours'), shorter('retentionHours')];
  const words = [
    ...(payloads === null ? [] : [`Payloads that are older than ${payloads} are erased for good.`]),
    ...(lists === null
      ? []
      : [
          `Events, deliveries and their numbers that are older than ${lists} are erased for good, with their payloads.`,
        ]),
  ];
  return words.length === 0 ? null : words.join(' ');
}

/** What one may write, and what an empty field means. */
export function limitWords(least: number, most: number | undefined): string {
  if (most === undefined) return `At least ${least}. Empty: as long as the installation keeps them.`;
  return `${least} to ${most}. Empty: ${hoursWords(most)}, the installation’s own.`;
}

/** A field for hours. Null means an empty text. */
const hours = field<number | null, string>(
  (value) => String(value ?? ''),
  (typed) => (typed.trim() === '' ? null : Number(typed)),
);

export const HOURS = { payloadRetentionHours: hours, retentionHours: hours };

/** The error of the typed hours, if any. The API checks whole numbers against its limits. */
export function whyNoHours(typed: string): string | null {
  return Number.isInteger(Number(typed)) ? null : 'Write a whole number, or leave it empty';
}
