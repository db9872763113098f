import type { Endpoint } from '../../../client/resources.ts';
import { announceChange, announceFailure } from '../../../components/announce-change.tsx';
import { usePlace } from '../../place.ts';
import { useUpdateEndpoint } from './use-update-endpoint.ts';

/** Activates an inactive endpoint and deactivates an active one. The notification can undo it. */
export function useToggleEndpoint(): (endpoint: Endpoint) => void {
  const place = usePlace();
  const { mutate } = useUpdateEndpoint();
  const toggle = ({ id, isActive }: Endpoint) =>
    mutate(
      { params: { path: { workspaceId: place.workspace.id, id } }, body: { isActive: !isActive } },
      {
        onSuccess: (endpoint) =>
          announceChange({
            id: `toggle-${endpoint.id}`,
            words: `${endpoint.url} ${endpoint.isActive ? 'gets deliveries again' : 'gets no more deliveries'}.`,
            undo: () => toggle(endpoint),
          }),
        onError: announceFailure,
      },
    );
  return toggle;
}
