import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../../client/api.ts';
import type { Endpoint } from '../../../client/resources.ts';
import { announceChange, announceFailure } from '../../../components/announce-change.tsx';
import { addressOf } from '../../../components/destination/address-of.ts';
import { usePlace } from '../../place.ts';
import { showEndpoint } from './use-update-endpoint.ts';

/**
 * Activates an inactive endpoint, or deactivates an active one. The notification can undo it. It uses the mutation's
 * own options, because those of a single call are ignored once the row or page is gone.
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
