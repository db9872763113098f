import type { EnvironmentDiff } from '../../../client/resources.ts';
import type { Wanted } from './promotion-queries.ts';

/** What an application adds or changes. An endpoint that is created needs its URL, but for a type without a server. */
export function wantedChanges(
  diff: EnvironmentDiff,
  urls: Readonly<Record<string, string>>,
  withoutServer: ReadonlySet<string>,
): Wanted {
  return {
    eventTypes: diff.eventTypes.filter(({ change }) => change !== 'unpublish').map(({ eventTypeId }) => eventTypeId),
    endpoints: diff.endpoints.flatMap(({ change, endpointId, targetEndpointId }) => {
      const needsNoUrl = (change === 'update' && targetEndpointId !== null) || withoutServer.has(endpointId);
      if (needsNoUrl && change !== 'delete') return [{ endpointId }];
      const url = urls[endpointId]?.trim();
      return change === 'create' && url ? [{ endpointId, url }] : [];
    }),
    prune: false,
  };
}

/** What a pruning takes away: the types, the endpoints, and the endpoints that lose subscriptions. */
export function wantedRemovals(diff: EnvironmentDiff): Wanted {
  const losing = diff.endpoints.filter((one) => one.change === 'update' && one.subscriptions.remove.length > 0);
  return {
    eventTypes: diff.eventTypes.filter(({ change }) => change === 'unpublish').map(({ eventTypeId }) => eventTypeId),
    endpoints: losing.map(({ endpointId }) => ({ endpointId })),
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
