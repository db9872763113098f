import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../../client/api.ts';
import type { Endpoint } from '../../../client/resources.ts';
import { announceChange, announceFailure } from '../../../components/announce-change.tsx';
import { addressOf } from '../../../components/destination/address-of.ts';
import { usePlace } from '../../place.ts';
import { showEndpoint } from './use-update-endpoint.ts';

/**
 * Activates an inactive endpoint and deactivates an active one. The notification can undo it. What happened is told also
 * when the row or the page is gone, so it is told by the options of the mutation and not by those of a call.
 */
export function useToggleEndpoint(): (endpoint: Endpoint) => void {
  const place = usePlace();
  const queryClient = useQueryClient();
  const { mutate } = api.useMutation('patch', '/api/workspaces/{workspaceId}/endpoints/{id}', {
    onSuccess: (endpoint) => {
      showEndpoint(queryClient, place, endpoint);
      announceChange({
        id: `toggle-${endpoint.id}`,
        words: `${addressOf(endpoint)} ${endpoint.isActive ? 'gets deliveries again' : 'gets no more deliveries'}.`,
        undo: () => toggle(endpoint),
      });
    },
    onError: announceFailure,
  });
  const toggle = ({ id, isActive }: Endpoint): void =>
    mutate({ params: { path: { workspaceId: place.workspace.id, id } }, body: { isActive: !isActive } });
  return toggle;
}
