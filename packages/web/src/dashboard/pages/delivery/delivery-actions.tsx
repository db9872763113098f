import { Button } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client } from '../../../client/api.ts';
import { readAgain } from '../../../client/by-pages.ts';
import type { Attempt, DeliveryDetail } from '../../../client/resources.ts';
import { isDialogOpen } from '../../../components/is-dialog-open.ts';
import { usePlace } from '../../place.ts';
import { mayChange } from '../../role.ts';
import { deliveryQuery } from '../deliveries/delivery-queries.ts';
import { eventQuery, traceQueryKey } from '../events/event-queries.ts';
import { CurlDialog } from './curl-dialog.tsx';

type Props = { delivery: DeliveryDetail; attempts: readonly Attempt[] };

/** The actions on a delivery. A waiting delivery can be sent at once, or cancelled. A test is sent only once. */
export function DeliveryActions({ delivery, attempts }: Props) {
  const isEditor = mayChange(usePlace());
  const [isCurlOpen, { open: openCurl, close: closeCurl }] = useDisclosure();
  const retry = useAct(delivery, 'retry');
  const cancel = useAct(delivery, 'cancel');
  const canRetry = isEditor && !delivery.isTest && delivery.status !== 'delivering';
  const canCancel = isEditor && (delivery.status === 'pending' || delivery.status === 'scheduled_retry');
  useHotkeys([['r', () => canRetry && !retry.isPending && !isDialogOpen() && retry.act()]]);
  return (
    <>
      <Button variant="default" onClick={openCurl}>
        Copy as curl
      </Button>
      {canCancel ? (
        <Button variant="default" onClick={cancel.act} loading={cancel.isPending}>
          Cancel
        </Button>
      ) : null}
      {delivery.isTest ? null : (
        <Button onClick={retry.act} loading={retry.isPending} disabled={!canRetry}>
          Retry
        </Button>
      )}
      <CurlDialog
        opened={isCurlOpen}
        onClose={closeCurl}
        delivery={delivery}
        requestHeaders={attempts.at(-1)?.requestHeaders}
      />
    </>
  );
}

const ACTS = {
  retry: {
    path: '/api/workspaces/{workspaceId}/deliveries/{id}/retry',
    done: 'The delivery is due now.',
    notDone: 'Not retried',
  },
  cancel: {
    path: '/api/workspaces/{workspaceId}/deliveries/{id}/cancel',
    done: 'The delivery is cancelled.',
    notDone: 'Not cancelled',
  },
} as const;

/**
 * A retry is due at once and gets the whole schedule again. A cancelled delivery can be retried. So neither asks first.
 */
function useAct({ id, eventId }: DeliveryDetail, name: keyof typeof ACTS) {
  const { workspace } = usePlace();
  const queryClient = useQueryClient();
  const { path, done, notDone } = ACTS[name];
  const { mutate, isPending } = useMutation({
    mutationFn: () => client.POST(path, { params: { path: { workspaceId: workspace.id, id } } }),
    onSuccess: () => notifications.show({ message: done }),
    onError: (error) => notifications.show({ color: 'red', title: notDone, message: error.message }),
    onSettled: () => {
      // The page of the event refetches by itself only while one of its deliveries is open.
      const changed = [
        deliveryQuery(workspace.id, id).queryKey,
        eventQuery(workspace.id, eventId).queryKey,
        traceQueryKey(workspace.id, eventId),
      ];
      return Promise.all(changed.map((queryKey) => readAgain(queryClient, queryKey)));
    },
  });
  return { isPending, act: () => mutate() };
}
