import { Button, Group, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../../client/api.ts';
import { readAgain } from '../../../client/by-pages.ts';
import type { Event } from '../../../client/resources.ts';
import { usePlace } from '../../place.ts';
import { mayChange } from '../../role.ts';
import { DELIVERY_LISTS } from '../deliveries/delivery-queries.ts';
import { EVENT_LISTS, eventQuery, traceQueryKey } from '../events/event-queries.ts';

/** Cancels an event before it is sent, or its waiting deliveries. It asks once. */
export function CancelEvent({ event }: { event: Event }) {
  const place = usePlace();
  const [isOpen, { open, close }] = useDisclosure();
  const { cancel, isPending } = useCancel(event.id, close);
  const what = whatEnds(event);
  if (what === null || !mayChange(place)) return null;
  return (
    <>
      <Button variant="default" onClick={open}>
        Cancel event
      </Button>
      <Modal opened={isOpen} onClose={close} title="Cancel this event?">
        <Text size="sm">{what}</Text>
        <Group justify="flex-end" gap="sm" mt="md">
          <Button variant="default" onClick={close}>
            Keep it
          </Button>
          <Button color="red" loading={isPending} onClick={cancel}>
            Cancel event
          </Button>
        </Group>
      </Modal>
    </>
  );
}

/** What a cancellation would end, in words (docs/interface.md, Cancel); null when nothing is left to cancel. */
function whatEnds({ status, deliveries }: Event): string | null {
  if (status === 'scheduled' || status === 'matching') return 'No endpoint will get it. This cannot be undone.';
  const open = deliveries.pending + deliveries.scheduled_retry;
  if (status !== 'matched' || open === 0) return null;
  const ended =
    open === 1 ? 'The delivery that waits ends.' : `The ${open.toLocaleString('en')} deliveries that wait end.`;
  return `${ended} A cancelled delivery can be retried.`;
}

function useCancel(id: string, onDone: () => void) {
  const { workspace } = usePlace();
  const queryClient = useQueryClient();
  const { mutate, isPending } = api.useMutation('post', '/api/workspaces/{workspaceId}/events/{id}/cancel', {
    onSuccess: () => notifications.show({ message: 'The event is cancelled.' }),
    onError: (error) =>
      notifications.show({
        color: 'red',
        title: 'Not cancelled',
        message: error instanceof Error ? error.message : '',
      }),
    onSettled: () => {
      onDone();
      const changed = [
        eventQuery(workspace.id, id).queryKey,
        traceQueryKey(workspace.id, id),
        DELIVERY_LISTS,
        EVENT_LISTS,
      ];
      return Promise.all(changed.map((queryKey) => readAgain(queryClient, queryKey)));
    },
  });
  return { isPending, cancel: () => mutate({ params: { path: { workspaceId: workspace.id, id } } }) };
}
