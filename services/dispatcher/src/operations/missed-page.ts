import type { SealingKeys } from '@posthorn/crypto/seal';
import type { DbTransaction } from '@posthorn/db/client';
import { parseFilter } from '@posthorn/filter/parse-filter';
import {
  type MissedEvent,
  missedEvents,
  type OperationScope,
  type Page,
  type Walk,
} from '@posthorn/ledger/operation-scope';
import type { EndpointFilters } from '@posthorn/routing/routes';
import { applyFilters } from '../fan-out/filters.ts';

/**
 * The most bytes of payloads that filters read in one transaction, or else a single event. A filter may take some
 * hundred milliseconds for a mebibyte, and a transaction ends after 20 s.
 */
const BYTES_FILTERED = 2 ** 23;

/** The next events that the endpoint would get now, according to its filters too, but has no delivery of. */
export async function missedPage(
  transaction: DbTransaction,
  { scope, keys }: { scope: OperationScope; keys: SealingKeys },
  walk: Walk,
): Promise<Page<Omit<MissedEvent, 'payloadSize'>>> {
  const read = await missedEvents(transaction, scope, walk);
  if (read.rows.length === 0) return read;
  const byType = await filtersOf(transaction, walk.endpointId);
  const page = byType.size === 0 ? read : beginningOf(read);
  const candidates = page.rows.map((event) => ({
    ...event,
    endpointIds: [walk.endpointId],
    filters: byType.get(event.eventType) ?? NO_FILTERS,
  }));
  const matched = await applyFilters({ db: transaction, keys }, candidates);
  const rows = matched.filter(({ endpointIds }) => endpointIds.length > 0);
  return {
    rows: rows.map(({ eventId, environmentId, eventType }) => ({ eventId, environmentId, eventType })),
    next: page.next,
  };
}

function beginningOf({ rows, next }: Page<MissedEvent>): Page<MissedEvent> {
  let bytes = 0;
  const end = rows.findIndex(({ payloadSize }, index) => {
    bytes += payloadSize;
    return index > 0 && bytes > BYTES_FILTERED;
  });
  if (end === -1) return { rows, next };
  const beginning = rows.slice(0, end);
  return { rows: beginning, next: beginning.at(-1)?.eventId };
}

const NO_FILTERS: EndpointFilters = new Map();

/** The filters of the endpoint's subscriptions, by event type name. */
async function filtersOf(transaction: DbTransaction, endpointId: string): Promise<Map<string, EndpointFilters>> {
  const subscriptions = await transaction.subscription.findMany({
    where: { endpointId },
    select: { filter: true, eventType: { select: { name: true } } },
  });
  return new Map(
    subscriptions.flatMap(({ filter, eventType }) => {
      if (filter === null) return [];
      const parsed = parseFilter(filter);
      // The filter was parsed before it was stored, so this is a fault of the service.
      if (parsed.kind !== 'filter') throw new Error('a stored filter cannot be parsed');
      return [[eventType.name, new Map([[endpointId, parsed.filter]])] as const];
    }),
  );
}
