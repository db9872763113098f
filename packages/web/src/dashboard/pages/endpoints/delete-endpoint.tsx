import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, client } from '../../../client/api.ts';
import type { Endpoint } from '../../../client/resources.ts';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { addressOf } from '../../../components/destination/address-of.ts';
import { usePlace } from '../../place.ts';
import { CUSTOMER_ENDPOINTS } from '../customers/customer-queries.ts';
import { endpointQuery, endpointsQuery, subscriptionsQuery } from './endpoint-queries.ts';

type Props = { endpoint: Endpoint | null; onClose: () => void; onDeleted?: () => void };

/** Asks before it deletes an endpoint, and counts the subscriptions and deliveries that end with it. */
export function DeleteEndpoint({ endpoint, onClose, onDeleted = onClose }: Props) {
  const place = usePlace();
  const workspaceId = place.workspace.id;
  const id = endpoint?.id ?? '';
  const queryClient = useQueryClient();
  const { data: subscriptions } = useQuery({ ...subscriptionsQuery(workspaceId, id), enabled: endpoint !== null });
  const { mutate, isPending, error, reset } = api.useMutation(
    'delete',
    '/api/workspaces/{workspaceId}/endpoints/{id}',
    {
      onSuccess: () => {
        onDeleted();
        // Its page may still be open, so it is not refetched now. When it is opened again, it says that the endpoint is
        // gone.
        void queryClient.invalidateQueries({ queryKey: endpointQuery(workspaceId, id).queryKey, refetchType: 'none' });
        return Promise.all([
          queryClient.invalidateQueries({ queryKey: endpointsQuery(place).queryKey }),
          queryClient.invalidateQueries({ queryKey: CUSTOMER_ENDPOINTS }),
        ]);
      },
    },
  );
  const count = subscriptions?.length;
  const open = useOpenDeliveries(endpoint);
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
      <span className="mono">{endpoint === null ? '' : addressOf(endpoint)}</span>
      <br />
      {count === undefined ? 'Its subscriptions' : `Its ${count} ${count === 1 ? 'subscription' : 'subscriptions'}`} and
      its signing secret are removed. {openWords(open)} This cannot be undone.
    </ConfirmDialog>
  );
}

/** The number of the endpoint's open deliveries; undefined until they are counted. */
function useOpenDeliveries(endpoint: Endpoint | null): number | undefined {
  const { workspace } = usePlace();
  const id = endpoint?.id ?? '';
  const { data } = useQuery({
    queryKey: ['open deliveries', id],
    queryFn: async () => {
      const counts = await Promise.all(OPEN_STATUSES.map((status) => countDeliveries(workspace.id, id, status)));
      return counts.reduce((sum, count) => sum + count, 0);
    },
    enabled: endpoint !== null,
    gcTime: 0,
  });
  return data;
}

const OPEN_STATUSES = ['pending', 'scheduled_retry'] as const;

/** Counts by the dry run of a cancellation, which changes nothing. */
async function countDeliveries(workspaceId: string, endpointId: string, status: (typeof OPEN_STATUSES)[number]) {
  const { data } = await client.POST('/api/workspaces/{workspaceId}/deliveries/cancel', {
    params: { path: { workspaceId } },
    body: { filter: { endpointId, statuses: [status] }, dryRun: true },
  });
  return data?.matched ?? 0;
}

function openWords(count: number | undefined): string {
  if (count === undefined) return 'Deliveries that are still open fail.';
  if (count === 0) return 'No delivery is open.';
  return count === 1 ? '1 open delivery fails.' : `${count.toLocaleString('en')} open deliveries fail.`;
}
