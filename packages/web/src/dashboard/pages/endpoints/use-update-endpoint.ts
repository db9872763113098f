import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../client/api.ts';
import type { Endpoint, EndpointUpdate } from '../../../client/resources.ts';
import { type Place, usePlace } from '../../place.ts';
import { CUSTOMER_ENDPOINTS } from '../customers/customer-queries.ts';
import { endpointQuery, endpointsQuery } from './endpoint-queries.ts';

/** Updates an endpoint. Every page then shows the version in the response. */
export function useUpdateEndpoint() {
  const place = usePlace();
  const queryClient = useQueryClient();
  return api.useMutation('patch', '/api/workspaces/{workspaceId}/endpoints/{id}', {
    onSuccess: (endpoint) => showEndpoint(queryClient, place, endpoint),
  });
}

/**
 * Updates an endpoint by a function of its current state. Use it for a part of `config`: an update replaces the whole
 * `config`, and this keeps the changes that others have made meanwhile.
 */
export function useChangeEndpoint(id: string) {
  const { workspace } = usePlace();
  const queryClient = useQueryClient();
  const update = useUpdateEndpoint();
  return useMutation({
    mutationFn: async (change: (now: Endpoint) => EndpointUpdate) => {
      const now = await queryClient.fetchQuery({ ...endpointQuery(workspace.id, id), staleTime: 0 });
      return update.mutateAsync({ params: { path: { workspaceId: workspace.id, id } }, body: change(now) });
    },
  });
}

/** Writes an endpoint from a response into the cache. */
export function showEndpoint(queryClient: QueryClient, place: Place, endpoint: Endpoint): void {
  const changed = (before: Endpoint[] | undefined) => before?.map((one) => (one.id === endpoint.id ? endpoint : one));
  queryClient.setQueryData<Endpoint>(endpointQuery(place.workspace.id, endpoint.id).queryKey, endpoint);
  queryClient.setQueryData<Endpoint[]>(endpointsQuery(place).queryKey, changed);
  queryClient.setQueriesData<Endpoint[]>({ queryKey: CUSTOMER_ENDPOINTS }, changed);
}
