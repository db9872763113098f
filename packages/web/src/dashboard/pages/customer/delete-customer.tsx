import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../../client/api.ts';
import { readAgain } from '../../../client/by-pages.ts';
import type { Application } from '../../../client/resources.ts';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { usePlace } from '../../place.ts';
import { CUSTOMER_LISTS, customerQuery } from '../customers/customer-queries.ts';
import { endpointsQuery } from '../endpoints/endpoint-queries.ts';

type Props = { customer: Application; endpoints: number | undefined; opened: boolean; onClose: () => void };

/** Asks before it deletes a customer with its endpoints, then goes to the list. */
export function DeleteCustomer({ customer, endpoints, opened, onClose }: Props) {
  const place = usePlace();
  const { workspace, environment } = place;
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const path = { workspaceId: workspace.id, applicationId: customer.id };
  const remove = api.useMutation('delete', '/api/workspaces/{workspaceId}/applications/{applicationId}', {
    onSuccess: async () => {
      const params = { workspace: workspace.slug, environment: environment.slug };
      await navigate({ to: '/w/$workspace/$environment/customers', params });
      await Promise.all([
        readAgain(queryClient, CUSTOMER_LISTS),
        queryClient.invalidateQueries({ queryKey: customerQuery(workspace.id, customer.id).queryKey }),
        queryClient.invalidateQueries({ queryKey: endpointsQuery(place).queryKey }),
        queryClient.invalidateQueries({ queryKey: ['get', '/api/workspaces/{workspaceId}/endpoints/{id}'] }),
      ]);
    },
  });
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={`Delete ${customer.name}?`}
      action="Delete customer"
      onConfirm={() => remove.mutate({ params: { path } })}
      pending={remove.isPending}
      error={remove.error}
    >
      Its {endpoints ?? ''} {endpoints === 1 ? 'endpoint' : 'endpoints'} in {environment.name} and those in every other
      environment are deleted, and its portal links end. Deliveries that are still open fail. This cannot be undone.
    </ConfirmDialog>
  );
}
