import type { Endpoint, EnvironmentDiff } from '../../../client/resources.ts';
import { entriesOf } from '../../../components/draft.ts';
import { isGivenByService } from '../../given-by-service.ts';
import type { Wanted } from './promotion-queries.ts';

/** The typed values for a new source: brokers and topics, one on each line. */
export type TypedPlace = { brokers: string; topics: string };

export const NO_PLACE: TypedPlace = { brokers: '', topics: '' };

/** The typed values for new endpoints and sources, by the ids of their originals. */
export type Typed = { urls: Readonly<Record<string, string>>; places: Readonly<Record<string, TypedPlace>> };

type Known = Pick<Endpoint, 'id' | 'url' | 'config'>;

/**
 * The ids of endpoints with brokers and stores. A new one would need a destination, for which the page has no field.
 */
export function withDestination(endpoints: readonly Known[]): Set<string> {
  return new Set(endpoints.filter(({ config }) => config.destination !== undefined).map(({ id }) => id));
}

/** The ids of endpoints that can be created without input: the service sets their URL, and they have no destination. */
export function withoutServer(endpoints: readonly Known[]): Set<string> {
  const own = endpoints.filter(({ url, config }) => isGivenByService(url) && config.destination === undefined);
  return new Set(own.map(({ id }) => id));
}

/**
 * The changes to request, without removals. A new endpoint needs a URL, unless its type has no server. A new source
 * needs brokers and topics.
 */
export function wantedChanges(
  diff: EnvironmentDiff,
  { urls, places }: Typed,
  withoutServer: ReadonlySet<string>,
  settings: boolean,
): Wanted {
  return {
    settings,
    eventTypes: diff.eventTypes.filter(({ change }) => change !== 'unpublish').map(({ eventTypeId }) => eventTypeId),
    endpoints: diff.endpoints.flatMap(({ change, endpointId, targetEndpointId }) => {
      const needsNoUrl = (change === 'update' && targetEndpointId !== null) || withoutServer.has(endpointId);
      if (needsNoUrl && change !== 'delete') return [{ endpointId }];
      const url = urls[endpointId]?.trim();
      return change === 'create' && url ? [{ endpointId, url }] : [];
    }),
    sources: diff.sources.flatMap(({ change, sourceId }) => {
      if (change === 'update') return [{ sourceId }];
      const typed = places[sourceId] ?? NO_PLACE;
      const [brokers, topics] = [entriesOf(typed.brokers, '\n'), entriesOf(typed.topics, '\n')];
      return brokers.length > 0 && topics.length > 0 ? [{ sourceId, place: { brokers, topics } }] : [];
    }),
    prune: false,
  };
}

/** The removals to request: event types, endpoints, and endpoints that lose subscriptions. */
export function wantedRemovals(diff: EnvironmentDiff): Wanted {
  const losing = diff.endpoints.filter((one) => one.change === 'update' && one.subscriptions.remove.length > 0);
  return {
    settings: false,
    eventTypes: diff.eventTypes.filter(({ change }) => change === 'unpublish').map(({ eventTypeId }) => eventTypeId),
    endpoints: losing.map(({ endpointId }) => ({ endpointId })),
    sources: [],
    prune: true,
  };
}

export type Removals = { types: number; endpoints: number; subscriptions: number };

export function countRemovals(diff: EnvironmentDiff): Removals {
  const updates = diff.endpoints.filter(({ change }) => change === 'update');
  return {
    types: diff.eventTypes.filter(({ change }) => change === 'unpublish').length,
    endpoints: diff.endpoints.filter(({ change }) => change === 'delete').length,
    subscriptions: updates.reduce((sum, { subscriptions }) => sum + subscriptions.remove.length, 0),
  };
}

/** "2 event types are unpublished and 1 endpoint is deleted". */
export function removalWords({ types, endpoints, subscriptions }: Removals): string {
  const parts = [
    counted(types, 'event type is unpublished', 'event types are unpublished'),
    counted(endpoints, 'endpoint is deleted', 'endpoints are deleted'),
    counted(subscriptions, 'subscription is removed', 'subscriptions are removed'),
  ].filter((part) => part !== '');
  return [parts.slice(0, -1).join(', '), parts.at(-1)].filter(Boolean).join(' and ');
}

function counted(count: number, one: string, many: string): string {
  if (count === 0) return '';
  return `${count} ${count === 1 ? one : many}`;
}
