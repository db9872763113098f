import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../../client/api.ts';
import type { Endpoint } from '../../../client/resources.ts';
import { usePlace } from '../../place.ts';
import { endpointsQuery } from './endpoint-queries.ts';

/** Activates an inactive endpoint and deactivates an active one. */
export function useToggleEndpoint(): (endpoint: Endpoint) => void {
  const place = usePlace();
  const queryClient = useQueryClient();
  const { mutate } = api.useMutation('patch', '/api/workspaces/{workspaceId}/endpoints/{id}', {
    onSuccess: (endpoint) => {
      queryClient.setQueryData<Endpoint[]>(endpointsQuery(place).queryKey, (before) =>
        before?.map((one) => (one.id === endpoint.id ? endpoint : one)),
      );
      const now = endpoint.isActive ? 'gets deliveries again' : 'gets no more deliveries';
      notifications.show({ message: `${endpoint.url} ${now}.` });
    },
    onError: (error) => notifications.show({ color: 'red', title: 'Nothing was changed', message: String(error) }),
  });
  return ({ id, isActive }) =>
    mutate({ params: { path: { workspaceId: place.workspace.id, id } }, body: { isActive: !isActive } });
}
