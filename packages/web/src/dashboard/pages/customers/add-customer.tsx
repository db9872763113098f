import { Button, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../../client/api.ts';
import { readAgain } from '../../../client/by-pages.ts';
import { draftOf } from '../../../components/draft.ts';
import { Form, FormRefusal } from '../../../components/form.tsx';
import { useHeldSheet } from '../../../components/hold-sheet.ts';
import { SideSheet } from '../../../components/side-sheet.tsx';
import { usePlace } from '../../place.ts';
import { CUSTOMER, customerBody } from './customer-draft.ts';
import { CustomerFields } from './customer-fields.tsx';
import { CUSTOMER_LISTS } from './customer-queries.ts';

/** Creates a customer: an application with its own endpoints. */
export function AddCustomer({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <SideSheet opened={opened} onClose={onClose} title="Add customer">
      {opened ? <AddCustomerForm /> : null}
    </SideSheet>
  );
}

function AddCustomerForm() {
  const { workspace } = usePlace();
  const form = useForm({ initialValues: draftOf(CUSTOMER) });
  const add = useAdd();
  useHeldSheet(add.isPending ? 'answer' : null);
  const params = { path: { workspaceId: workspace.id } };
  const { externalId, ...body } = customerBody(form.values);
  const submit = () => add.mutate({ params, body: { ...body, ...(externalId !== null && { externalId }) } });
  return (
    <Form draft={form} error={add.error} onSubmit={submit}>
      <Stack gap="md">
        <CustomerFields />
        <FormRefusal title="The customer was not added" />
        <Button type="submit" size="sm" loading={add.isPending}>
          Add customer
        </Button>
      </Stack>
    </Form>
  );
}

/** Creates the customer, and opens its page. */
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
