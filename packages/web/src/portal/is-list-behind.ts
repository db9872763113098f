import type { Event } from '../client/resources.ts';

type ListState = {
  data: { pages: readonly { deliveries: readonly unknown[]; nextCursor: string | null }[] } | undefined;
  error: unknown;
};

/**
 * True if the list of a message's deliveries is shorter than the message's own count, because it was read earlier.
 * False for a list with further pages, which is always shorter, and for a list that failed, which has its own retries.
 */
export function isListBehind({ deliveries }: Pick<Event, 'deliveries'>, { data, error }: ListState): boolean {
  if (error !== null || data === undefined || (data.pages.at(-1)?.nextCursor ?? null) !== null) return false;
  const counted = Object.values(deliveries).reduce((sum, count) => sum + count, 0);
  const listed = data.pages.reduce((sum, page) => sum + page.deliveries.length, 0);
  return listed < counted;
}
