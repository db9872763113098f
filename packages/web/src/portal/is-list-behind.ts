import type { Event } from '../client/resources.ts';

type ListState = {
  data: { pages: readonly { deliveries: readonly unknown[]; nextCursor: string | null }[] } | undefined;
  error: unknown;
};

/**
 * Whether the list of a message's deliveries lacks some that the message counts: it was read before they were made. A
 * list with a further page lacks those of that page in any case, and a list that failed is asked for by its own rules.
 */
export function isListBehind({ deliveries }: Pick<Event, 'deliveries'>, { data, error }: ListState): boolean {
  if (error !== null || data === undefined || (data.pages.at(-1)?.nextCursor ?? null) !== null) return false;
  const counted = Object.values(deliveries).reduce((sum, count) => sum + count, 0);
  const listed = data.pages.reduce((sum, page) => sum + page.deliveries.length, 0);
  return listed < counted;
}
