import { Button, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../../client/api.ts';
import { readAgain } from '../../../client/by-pages.ts';
import type { Application } from '../../../client/resources.ts';
import { draftOf } from '../../../components/draft.ts';
import { Form, FormRefusal } from '../../../components/form.tsx';
import { useHeldSheet } from '../../../components/hold-sheet.ts';
import { SideSheet } from '../../../components/side-sheet.tsx';
import { usePlace } from '../../place.ts';
import { CUSTOMER, changedCustomer } from '../customers/customer-draft.ts';
import { CustomerFields } from '../customers/customer-fields.tsx';
import { CUSTOMER_LISTS, customerQuery } from '../customers/customer-queries.ts';

type Props = { customer: Application; opened: boolean; onClose: () => void };

/** Changes a customer's name, external id and metadata. */
export function EditCustomer({ customer, opened, onClose }: Props) {
  return (
    <SideSheet opened={opened} onClose={onClose} title="Edit customer">
      {opened ? <EditForm customer={customer} onSaved={onClose} /> : null}
    </SideSheet>
  );
}

function EditForm({ customer, onSaved }: { customer: Application; onSaved: () => void }) {
  const { workspace } = usePlace();
  const queryClient = useQueryClient();
  const form = useForm({ initialValues: draftOf(CUSTOMER, customer) });
  const save = api.useMutation('patch', '/api/workspaces/{workspaceId}/applications/{applicationId}', {
    onSuccess: async (changed) => {
      queryClient.setQueryData<Application>(customerQuery(workspace.id, changed.id).queryKey, changed);
      await readAgain(queryClient, CUSTOMER_LISTS);
      onSaved();
    },
  });
  useHeldSheet(save.isPending ? 'answer' : null);
  const params = { path: { workspaceId: workspace.id, applicationId: customer.id } };
  return (
    <Form
      draft={form}
      error={save.error}
      onSubmit={() => save.mutate({ params, body: changedCustomer(form.getInitialValues(), form.values) })}
    >
      <Stack gap="md">
        <CustomerFields />
        <FormRefusal title="Nothing was saved" />
        <Button type="submit" size="sm" loading={save.isPending}>
          Save customer
        </Button>
      </Stack>
    </Form>
  );
}
