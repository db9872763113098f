import { Checkbox } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../../client/api.ts';
import { readAgain } from '../../../client/by-pages.ts';
import type { Application } from '../../../client/resources.ts';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { OPERATION_LISTS } from '../../operations/operation-queries.ts';
import { usePlace } from '../../place.ts';
import { mayAdminister } from '../../role.ts';
import { CUSTOMER_LISTS, customerQuery } from '../customers/customer-queries.ts';
import { endpointsQuery } from '../endpoints/endpoint-queries.ts';

type Props = { customer: Application; endpoints: number | undefined; opened: boolean; onClose: () => void };

/** Asks, and then deletes a customer with its endpoints, or also erases their data. Afterwards it opens the list. */
export function DeleteCustomer({ customer, endpoints, opened, onClose }: Props) {
  const place = usePlace();
  const { workspace, environment } = place;
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const path = { workspaceId: workspace.id, applicationId: customer.id };
  const [erases, setErases] = useState(false);
  const afterwards = {
    onSuccess: async () => {
      if (erases) notifications.show({ message: 'The data is being erased: see Operations.' });
      const params = { workspace: workspace.slug, environment: environment.slug };
      await navigate({ to: '/w/$workspace/$environment/customers', params });
      await Promise.all([
        readAgain(queryClient, CUSTOMER_LISTS),
        readAgain(queryClient, OPERATION_LISTS),
        queryClient.invalidateQueries({ queryKey: customerQuery(workspace.id, customer.id).queryKey }),
        queryClient.invalidateQueries({ queryKey: endpointsQuery(place).queryKey }),
        queryClient.invalidateQueries({ queryKey: ['get', '/api/workspaces/{workspaceId}/endpoints/{id}'] }),
      ]);
    },
  };
  const remove = api.useMutation('delete', '/api/workspaces/{workspaceId}/applications/{applicationId}', afterwards);
  const erase = api.useMutation('post', '/api/workspaces/{workspaceId}/erasures', afterwards);
  const confirm = () =>
    erases
      ? erase.mutate({
          params: { path: { workspaceId: workspace.id } },
          body: { applicationId: customer.id, dryRun: false },
        })
      : remove.mutate({ params: { path } });
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={`Delete ${customer.name}?`}
      action={erases ? 'Delete and erase' : 'Delete customer'}
      onConfirm={confirm}
      pending={remove.isPending || erase.isPending}
      error={erases ? erase.error : remove.error}
    >
      Its {endpoints ?? ''} {endpoints === 1 ? 'endpoint' : 'endpoints'} in {environment.name} and those in every other
      environment are deleted, and its portal links end. Deliveries that are still open fail. This cannot be undone.
      {mayAdminister(place) ? (
        <Checkbox
          mt="md"
          label="Erase their data, too"
          description="Payloads, what attempts sent and got, names, and what the audit log has about them. Backups keep it."
          checked={erases}
          onChange={({ currentTarget }) => setErases(currentTarget.checked)}
        />
      ) : null}
    </ConfirmDialog>
  );
}
