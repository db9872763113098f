import type { Endpoint, EnvironmentDiff } from '../../../client/resources.ts';
import { entriesOf } from '../../../components/draft.ts';
import { isGivenByService } from '../../given-by-service.ts';
import type { Wanted } from './promotion-queries.ts';

/** What is typed for a source that is created: a broker, or a topic, in each line. */
export type TypedPlace = { brokers: string; topics: string };

export const NO_PLACE: TypedPlace = { brokers: '', topics: '' };

/** What is typed for what is created, by the ids of what is promoted. */
export type Typed = { urls: Readonly<Record<string, string>>; places: Readonly<Record<string, TypedPlace>> };

type Known = Pick<Endpoint, 'id' | 'url' | 'config'>;

/** The endpoints of brokers and stores: one that is created needs a destination, for which the page has no field. */
export function withDestination(endpoints: readonly Known[]): Set<string> {
  return new Set(endpoints.filter(({ config }) => config.destination !== undefined).map(({ id }) => id));
}

/** The endpoints that are created as they are: the service gives their URL, and they have no destination. */
export function withoutServer(endpoints: readonly Known[]): Set<string> {
  const own = endpoints.filter(({ url, config }) => isGivenByService(url) && config.destination === undefined);
  return new Set(own.map(({ id }) => id));
}

/**
 * What an application adds or changes. An endpoint that is created needs its URL, but for a type without a server; a source that is
 * created needs brokers and topics.
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

/** What a pruning takes away: the types, the endpoints, and the endpoints that lose subscriptions. */
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
