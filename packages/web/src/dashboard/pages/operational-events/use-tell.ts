import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { client } from '../../../client/api.ts';
import type { OperationalEvent } from '../../../client/resources.ts';
import { announceChange, announceFailure } from '../../../components/announce-change.tsx';
import { type Place, usePlace } from '../../place.ts';
import { readSubscriptionsAgain } from '../endpoints/endpoint-queries.ts';
import { eventTypesQuery, visibilityQuery } from '../event-types/event-type-queries.ts';

type Change = { event: OperationalEvent; on: boolean };

/** Switches an operational event on or off for an endpoint. The notification can undo it. */
export function useTell(endpointId: string): (event: OperationalEvent, on: boolean) => void {
  const place = usePlace();
  const { workspace, environment } = place;
  const queryClient = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: ({ event, on }: Change) =>
      on ? switchOn(place, endpointId, event) : switchOff(place, endpointId, event),
    onSuccess: (_answer, { event, on }) =>
      announceChange({
        id: `tell-${endpointId}-${event.name}`,
        words: `The endpoint ${on ? 'gets' : 'no longer gets'} ${event.name}.`,
        undo: () => mutate({ event, on: !on }),
      }),
    onError: announceFailure,
    onSettled: () => {
      const changed = [eventTypesQuery(workspace.id).queryKey, visibilityQuery(workspace.id, environment.id).queryKey];
      return Promise.all([
        readSubscriptionsAgain(queryClient, workspace.id, endpointId),
        ...changed.map((queryKey) => queryClient.invalidateQueries({ queryKey })),
      ]);
    },
  });
  return useCallback((event: OperationalEvent, on: boolean) => mutate({ event, on }), [mutate]);
}

/**
 * Creates the type if it is missing, publishes it here, and subscribes the endpoint. Each step can be repeated safely.
 */
async function switchOn({ workspace, environment }: Place, endpointId: string, event: OperationalEvent): Promise<void> {
  const path = { workspaceId: workspace.id };
  const eventTypeId = (await findType(workspace.id, event.name)) ?? (await createType(workspace.id, event));
  await client.PUT('/api/workspaces/{workspaceId}/environments/{environmentId}/event-types/{eventTypeId}/visibility', {
    params: { path: { ...path, environmentId: environment.id, eventTypeId } },
    body: { published: true },
  });
  await client.POST('/api/workspaces/{workspaceId}/endpoints/{id}/subscriptions', {
    params: { path: { ...path, id: endpointId } },
    body: { eventTypeIds: [eventTypeId] },
  });
}

/** Ends the subscription. The type stays published, because other endpoints may receive it. */
async function switchOff({ workspace }: Place, endpointId: string, event: OperationalEvent): Promise<void> {
  const eventTypeId = await findType(workspace.id, event.name);
  if (eventTypeId === undefined) return;
  await client.DELETE('/api/workspaces/{workspaceId}/endpoints/{id}/subscriptions/{eventTypeId}', {
    params: { path: { workspaceId: workspace.id, id: endpointId, eventTypeId } },
  });
}

async function findType(workspaceId: string, name: string): Promise<string | undefined> {
  const { data } = await client.GET('/api/workspaces/{workspaceId}/event-types', { params: { path: { workspaceId } } });
  return data?.find((type) => type.name === name)?.id;
}

async function createType(
  workspaceId: string,
  { name, description, schema, example }: OperationalEvent,
): Promise<string> {
  const { data } = await client.POST('/api/workspaces/{workspaceId}/event-types', {
    params: { path: { workspaceId } },
    body: { name, description, schema, example },
  });
  if (data === undefined) throw new Error('The event type was not created.');
  return data.id;
}
