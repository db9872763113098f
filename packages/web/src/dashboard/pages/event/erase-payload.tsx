import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../../client/api.ts';
import { readAgain } from '../../../client/by-pages.ts';
import type { Event } from '../../../client/resources.ts';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { usePlace } from '../../place.ts';
import { mayChange } from '../../role.ts';
import { ATTEMPTS, DELIVERIES, DELIVERY_LISTS } from '../deliveries/delivery-queries.ts';
import { EVENT_LISTS, eventPayloadQuery, eventQuery, PAYLOADS, traceQueryKey } from '../events/event-queries.ts';

/** Erases the payload of an event for good, with all that its attempts sent and received. It asks first. */
export function ErasePayload({ event }: { event: Event }) {
  const place = usePlace();
  const { workspace } = place;
  const queryClient = useQueryClient();
  const [isOpen, { open, close }] = useDisclosure();
  const erase = api.useMutation('delete', '/api/workspaces/{workspaceId}/events/{id}/payload', {
    onSuccess: async () => {
      close();
      notifications.show({ message: 'The payload is erased.' });
      // Other pages may have cached the payload: the pages of its deliveries, and the inbox of a playground.
      for (const queryKey of [PAYLOADS, DELIVERIES, ATTEMPTS]) {
        queryClient.removeQueries({ queryKey, type: 'inactive' });
      }
      const changed = [
        eventQuery(workspace.id, event.id).queryKey,
        eventPayloadQuery(workspace.id, event.id).queryKey,
        traceQueryKey(workspace.id, event.id),
        DELIVERY_LISTS,
        EVENT_LISTS,
      ];
      await Promise.all(changed.map((queryKey) => readAgain(queryClient, queryKey)));
    },
  });
  if (!event.hasPayload || erase.isSuccess || !mayChange(place)) return null;
  return (
    <>
      <Button variant="default" onClick={open}>
        Erase payload
      </Button>
      <ConfirmDialog
        opened={isOpen}
        onClose={close}
        title="Erase this payload?"
        action="Erase payload"
        onConfirm={() => erase.mutate({ params: { path: { workspaceId: workspace.id, id: event.id } } })}
        pending={erase.isPending}
        error={erase.error}
      >
        The payload is erased, and so are the headers and bodies of every attempt. Open deliveries end. The event stays
        in the lists. This cannot be undone.
      </ConfirmDialog>
    </>
  );
}
