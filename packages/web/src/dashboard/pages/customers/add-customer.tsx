import { Button, Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../../client/api.ts';
import { readAgain } from '../../../client/by-pages.ts';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { SideSheet } from '../../../components/side-sheet.tsx';
import { onSubmit } from '../../../components/submit.ts';
import { usePlace } from '../../place.ts';
import { CUSTOMER_LISTS } from './customer-queries.ts';

/** A new customer: an application with endpoints of its own. */
export function AddCustomer({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <SideSheet opened={opened} onClose={onClose} title="Add customer">
      {opened ? <AddCustomerForm /> : null}
    </SideSheet>
  );
}

function AddCustomerForm() {
  const { workspace } = usePlace();
  const [name, setName] = useState('');
  const [externalId, setExternalId] = useState('');
  const add = useAdd();
  const params = { path: { workspaceId: workspace.id } };
  const submit = () => add.mutate({ params, body: { name, ...(externalId === '' ? {} : { externalId }) } });
  return (
    <form onSubmit={onSubmit(submit)}>
      <Stack gap="md">
        <TextInput
          label="Name"
          required
          data-autofocus
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <TextInput
          label="External id"
          description="Your own id of the customer. It can be used in place of Posthorn’s id."
          value={externalId}
          onChange={({ currentTarget }) => setExternalId(currentTarget.value.trim())}
        />
        {add.error ? <ErrorNotice title="The customer was not added" error={add.error} /> : null}
        <Button type="submit" size="sm" loading={add.isPending}>
          Add customer
        </Button>
      </Stack>
    </form>
  );
}

/** Adds, and goes to the new customer. */
function useAdd() {
  const { workspace, environment } = usePlace();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return api.useMutation('post', '/api/workspaces/{workspaceId}/applications', {
    onSuccess: async ({ id }) => {
      await readAgain(queryClient, CUSTOMER_LISTS);
      const params = { workspace: workspace.slug, environment: environment.slug, applicationId: id };
      await navigate({ to: '/w/$workspace/$environment/customers/$applicationId', params });
    },
  });
}
