import { randomUUID } from 'node:crypto';
import { noteShortPayloads } from '@posthorn/ledger/short-payload';
import type { Route } from '@posthorn/routing/routes';
import { applyFilters } from './filters.ts';
import type { MatchedEvent, WaitingEvent } from './plan.ts';
import type { BatchDeps } from './write-deliveries.ts';

/**
 * The endpoints of events whose filters fit into a batch's memory and time. Those of wide events are read later, in
 * pages. Of the others, it notes the events whose type keeps no payload for long.
 */
export async function matchEvents(deps: BatchDeps, events: readonly WaitingEvent[]) {
  const groups = [...new Set(events.map((event) => event.group))];
  const found = await deps.routes.of(groups);
  const routeOf = new Map(groups.map((group, index) => [group, found[index]]));
  const narrow: (MatchedEvent & Pick<Route, 'filters'>)[] = [];
  const wide: WaitingEvent[] = [];
  const revisions = new Map<string, string>();
  const short: { eventId: string; workspaceId: string; eventType: string }[] = [];
  for (const { eventId, group } of events) {
    const route = routeOf.get(group);
    if (route === undefined) {
      deps.budget.postpone({ eventId, group });
      continue;
    }
    if (route.isWide) {
      wide.push({ eventId, group });
      continue;
    }
    if (route.payloadRetention === 'until_ended' || route.payloadRetention === 'none')
      short.push({ eventId, ...group });
    narrow.push({ eventId, group, endpointIds: route.endpointIds, filters: route.filters });
    // If two routes have different revisions, one is outdated. A random revision, which no environment has, makes the
    // insert refuse both.
    const known = revisions.get(group.environmentId) ?? route.routingRevision;
    revisions.set(group.environmentId, known === route.routingRevision ? known : randomUUID());
  }
  await noteShortPayloads(deps.db, short);
  return { narrow: await applyFilters(deps, narrow, deps.budget), wide, revisions };
}
