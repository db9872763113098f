import { Button } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../../client/api.ts';
import type { Attempt, DeliveryDetail } from '../../../client/resources.ts';
import { usePlace } from '../../place.ts';
import { mayChange } from '../../role.ts';
import { deliveryQuery } from '../deliveries/delivery-queries.ts';
import { CurlDialog } from './curl-dialog.tsx';

type Props = { delivery: DeliveryDetail; attempts: readonly Attempt[] };

export function DeliveryActions({ delivery, attempts }: Props) {
  const place = usePlace();
  const [isCurlOpen, { open: openCurl, close: closeCurl }] = useDisclosure();
  const { retry, isPending } = useRetry(delivery.id);
  const canRetry = mayChange(place) && delivery.status !== 'delivering';
  useHotkeys([['r', () => canRetry && retry()]]);
  return (
    <>
      <Button variant="default" onClick={openCurl}>
        Copy as curl
      </Button>
      <Button onClick={retry} loading={isPending} disabled={!canRetry}>
        Retry
      </Button>
      <CurlDialog
        opened={isCurlOpen}
        onClose={closeCurl}
        delivery={delivery}
        requestHeaders={attempts.at(-1)?.requestHeaders}
      />
    </>
  );
}

/** A retry is due at once and gets the whole schedule again. */
function useRetry(id: string) {
  const { workspace } = usePlace();
  const queryClient = useQueryClient();
  const { mutate, isPending } = api.useMutation('post', '/api/workspaces/{workspaceId}/deliveries/{id}/retry', {
    onSuccess: () => notifications.show({ message: 'The delivery is due now.' }),
    onError: (error) =>
      notifications.show({ color: 'red', title: 'Not retried', message: error instanceof Error ? error.message : '' }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: deliveryQuery(workspace.id, id).queryKey }),
  });
  return { isPending, retry: () => mutate({ params: { path: { workspaceId: workspace.id, id } } }) };
}
