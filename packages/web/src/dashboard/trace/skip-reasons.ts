import type { SkipReason } from '../../client/resources.ts';

/** A change that would let an endpoint receive such events: the page to make it on, and the text of the link. */
type Remedy = { page: 'endpoint' | 'subscriptions' | 'event-types'; words: string };

type Explained = { words: string; remedy: Remedy | null };

const REASONS: Readonly<Record<SkipReason, Explained>> = {
  event_type_not_published: {
    words: 'event type not published',
    remedy: { page: 'event-types', words: 'Publish the type' },
  },
  endpoint_deleted: { words: 'deleted', remedy: null },
  other_application: { words: 'of another customer', remedy: { page: 'endpoint', words: 'Show the endpoint' } },
  not_subscribed: { words: 'not subscribed', remedy: { page: 'subscriptions', words: 'Change its subscriptions' } },
  endpoint_inactive: { words: 'inactive', remedy: { page: 'endpoint', words: 'Activate it' } },
  filtered: { words: 'filtered out', remedy: { page: 'subscriptions', words: 'Change its filter' } },
};

/** The text for endpoints that were skipped for this reason, and the remedy. */
export function explainedReason(reason: SkipReason): Explained {
  return REASONS[reason];
}

/** The entries by reason, in the order of the trace's rules. Reasons without entries are left out. */
export function groupedByReason<Entry extends { reason: SkipReason | null }>(
  entries: readonly Entry[],
): { reason: SkipReason; entries: Entry[] }[] {
  return Object.keys(REASONS)
    .filter(isReason)
    .map((reason) => ({ reason, entries: entries.filter((entry) => entry.reason === reason) }))
    .filter((group) => group.entries.length > 0);
}

function isReason(name: string): name is SkipReason {
  return Object.hasOwn(REASONS, name);
}
