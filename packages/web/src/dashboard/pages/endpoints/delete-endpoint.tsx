import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../client/api.ts';
import type { Endpoint } from '../../../client/resources.ts';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { usePlace } from '../../place.ts';
import { endpointsQuery, subscriptionsQuery } from './endpoint-queries.ts';

/** Asks before it deletes an endpoint, and counts what ends with it. */
export function DeleteEndpoint({ endpoint, onClose }: { endpoint: Endpoint | null; onClose: () => void }) {
  const place = usePlace();
  const workspaceId = place.workspace.id;
  const id = endpoint?.id ?? '';
  const queryClient = useQueryClient();
  const { data: subscriptions } = useQuery({ ...subscriptionsQuery(workspaceId, id), enabled: endpoint !== null });
  const { mutate, isPending, error, reset } = api.useMutation(
    'delete',
    '/api/workspaces/{workspaceId}/endpoints/{id}',
    {
      onSuccess: async () => {
        await queryClient.invalidateQueries({ queryKey: endpointsQuery(place).queryKey });
        onClose();
      },
    },
  );
  const count = subscriptions?.length;
  return (
    <ConfirmDialog
      opened={endpoint !== null}
      onClose={() => {
        reset();
        onClose();
      }}
      title="Delete this endpoint?"
      action="Delete endpoint"
      onConfirm={() => mutate({ params: { path: { workspaceId, id } } })}
      pending={isPending}
      error={error}
    >
      <span className="mono">{endpoint?.url}</span>
      <br />
      {count === undefined ? 'Its subscriptions' : `Its ${count} ${count === 1 ? 'subscription' : 'subscriptions'}`} and
      its signing secret are removed. Deliveries that are still open fail. This cannot be undone.
    </ConfirmDialog>
  );
}
