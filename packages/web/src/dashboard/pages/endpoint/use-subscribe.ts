import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { client } from '../../../client/api.ts';
import type { Endpoint, Subscription } from '../../../client/resources.ts';
import { announceChange, announceFailure } from '../../../components/announce-change.tsx';
import { usePlace } from '../../place.ts';
import { readSubscriptionsAgain } from '../endpoints/endpoint-queries.ts';
import { useUpdateEndpoint } from '../endpoints/use-update-endpoint.ts';
import type { SubscriptionRow } from './subscription-columns.tsx';

type Change = { eventTypeId: string; name: string; subscribe: boolean; filter: Subscription['filter'] };

/** Subscribes to a type, or ends the subscription. The notification can undo it, including the filter. */
export function useSubscribe(endpointId: string): (row: SubscriptionRow) => void {
  const { workspace } = usePlace();
  const queryClient = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: (change: Change) => changeSubscription({ workspaceId: workspace.id, id: endpointId }, change),
    onSuccess: (_answer, change) =>
      announceChange({
        id: `subscribe-${endpointId}-${change.eventTypeId}`,
        words: `The endpoint ${change.subscribe ? 'subscribes to' : 'no longer subscribes to'} ${change.name}.`,
        undo: () => mutate({ ...change, subscribe: !change.subscribe }),
      }),
    onError: announceFailure,
    onSettled: () => readSubscriptionsAgain(queryClient, workspace.id, endpointId),
  });
  return useCallback(
    ({ id, name, subscription }: SubscriptionRow) =>
      mutate({ eventTypeId: id, name, subscribe: subscription === null, filter: subscription?.filter ?? null }),
    [mutate],
  );
}

/** Replaces the patterns of the endpoint. The notification can undo it. */
export function useSubscribeToAll(endpoint: Endpoint) {
  const { workspace } = usePlace();
  const queryClient = useQueryClient();
  const update = useUpdateEndpoint();
  const before = endpoint.eventTypePatterns;
  const change = (eventTypePatterns: Endpoint['eventTypePatterns']) => {
    const send = (patterns: Endpoint['eventTypePatterns'], onSuccess?: () => void) =>
      update.mutate(
        {
          params: { path: { workspaceId: workspace.id, id: endpoint.id } },
          body: { eventTypePatterns: patterns },
        },
        {
          onSuccess,
          onError: announceFailure,
          onSettled: () => readSubscriptionsAgain(queryClient, workspace.id, endpoint.id),
        },
      );
    send(eventTypePatterns, () =>
      announceChange({
        id: `subscribe-all-${endpoint.id}`,
        words:
          eventTypePatterns.length > before.length
            ? 'The endpoint subscribes to every event type.'
            : 'The endpoint no longer subscribes to every event type.',
        undo: () => send(before),
      }),
    );
  };
  return { change, isPending: update.isPending };
}

async function changeSubscription(path: { workspaceId: string; id: string }, change: Change): Promise<void> {
  const { eventTypeId, subscribe, filter } = change;
  if (subscribe) {
    const body = { eventTypeIds: [eventTypeId], ...(filter && { filter }) };
    await client.POST('/api/workspaces/{workspaceId}/endpoints/{id}/subscriptions', { params: { path }, body });
    return;
  }
  const params = { path: { ...path, eventTypeId } };
  await client.DELETE('/api/workspaces/{workspaceId}/endpoints/{id}/subscriptions/{eventTypeId}', { params });
}
