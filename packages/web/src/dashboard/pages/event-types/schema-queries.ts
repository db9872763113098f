import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client } from '../../../client/api.ts';
import type { SchemaMode, UpdatedEventType } from '../../../client/resources.ts';
import { usePlace } from '../../place.ts';
import { eventTypesQuery, visibilityQuery } from './event-type-queries.ts';

/** The request body of a change, as JSON. */
type SchemaInput = string;

/** Checks what a change would mean. Changes nothing. */
export function useSchemaCheck(id: string) {
  const { workspace } = usePlace();
  return useMutation({
    mutationFn: (body: SchemaInput) => patch({ workspaceId: workspace.id, id }, body, true),
  });
}

export function useSchemaSave(id: string, onSaved: () => void) {
  const { workspace } = usePlace();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: SchemaInput) => patch({ workspaceId: workspace.id, id }, body),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: eventTypesQuery(workspace.id).queryKey });
      onSaved();
    },
  });
}

async function patch(
  path: { workspaceId: string; id: string },
  body: SchemaInput,
  dryRun = false,
): Promise<UpdatedEventType> {
  const { data } = await client.PATCH('/api/workspaces/{workspaceId}/event-types/{id}', {
    params: { path, query: dryRun ? { dryRun } : {} },
    body: {},
    bodySerializer: () => body,
  });
  if (data === undefined) throw new Error('The answer is empty');
  return data;
}

type VisibilityChange = { schemaMode: SchemaMode } | { audienceOf: (now: string[] | null) => string[] | null };

/**
 * Changes how an environment checks the payloads of a type, or whose portals show it. Whether it is published stays as it is
 * now, which somebody else may have changed.
 */
export function useVisibilityChange(eventTypeId: string, environmentId: string) {
  const { workspace } = usePlace();
  const queryClient = useQueryClient();
  const query = visibilityQuery(workspace.id, environmentId);
  return useMutation({
    mutationFn: async (change: VisibilityChange) => {
      const entries = await queryClient.fetchQuery({ ...query, staleTime: 0 });
      const { published = false, applications = null } = entries.find((one) => one.eventTypeId === eventTypeId) ?? {};
      return client.PUT(
        '/api/workspaces/{workspaceId}/environments/{environmentId}/event-types/{eventTypeId}/visibility',
        {
          params: { path: { workspaceId: workspace.id, environmentId, eventTypeId } },
          body: {
            published,
            ...('schemaMode' in change ? change : { applications: change.audienceOf(applications) }),
          },
        },
      );
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: query.queryKey }),
  });
}
