import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../client/api.ts';
import type { Endpoint } from '../../../client/resources.ts';
import { type Place, usePlace } from '../../place.ts';
import { endpointQuery, endpointsQuery } from './endpoint-queries.ts';

/** Changes an endpoint; every page then shows it as the service answered it. */
export function useUpdateEndpoint() {
  const place = usePlace();
  const queryClient = useQueryClient();
  return api.useMutation('patch', '/api/workspaces/{workspaceId}/endpoints/{id}', {
    onSuccess: (endpoint) => showEndpoint(queryClient, place, endpoint),
  });
}

/** Puts an endpoint as it was answered into the cache. */
export function showEndpoint(queryClient: QueryClient, place: Place, endpoint: Endpoint): void {
  queryClient.setQueryData<Endpoint>(endpointQuery(place.workspace.id, endpoint.id).queryKey, endpoint);
  queryClient.setQueryData<Endpoint[]>(endpointsQuery(place).queryKey, (before) =>
    before?.map((one) => (one.id === endpoint.id ? endpoint : one)),
  );
}
