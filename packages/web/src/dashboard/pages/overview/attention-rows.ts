import type { Endpoint } from '../../../client/resources.ts';
import type { EndpointTotals } from '../endpoints/endpoint-totals.ts';

const SHOWN = 8;

export type AttentionRow = { endpoint: Endpoint; totals: EndpointTotals | undefined };

/**
 * At most 8 endpoints that fail, that were deactivated by no person, or that have dead letters in `totals`: the worst first.
 */
export function attentionRows(
  endpoints: readonly Endpoint[],
  totals: ReadonlyMap<string, EndpointTotals>,
): AttentionRow[] {
  return endpoints
    .map((endpoint) => ({ endpoint, totals: totals.get(endpoint.id) }))
    .filter((row) => rankOf(row) > 0)
    .sort((a, b) => rankOf(b) - rankOf(a) || lettersOf(b) - lettersOf(a))
    .slice(0, SHOWN);
}

function rankOf(row: AttentionRow): number {
  const { isActive, health, disabledReason } = row.endpoint;
  if (!isActive) return disabledReason === null || disabledReason === 'manual' ? 0 : 2;
  if (health === 'failing') return 4;
  if (lettersOf(row) > 0) return 3;
  return health === 'degraded' ? 1 : 0;
}

export function lettersOf({ totals }: AttentionRow): number {
  return totals?.deadLettered ?? 0;
}
