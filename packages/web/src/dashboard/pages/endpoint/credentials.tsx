import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import type { Endpoint } from '../../../client/resources.ts';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { ERROR_ABOVE } from '../../../components/error-above.ts';
import { Form, FormField, FormRefusal } from '../../../components/form.tsx';
import { usePlace } from '../../place.ts';
import { useUpdateEndpoint } from '../endpoints/use-update-endpoint.ts';

/** The username and password of basic login. The password is never shown again. */
export function Credentials({ endpoint, isEditor }: { endpoint: Endpoint; isEditor: boolean }) {
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {endpoint.hasAuth
          ? `Every request logs in as ${endpoint.authUsername}.`
          : 'None. With a username and a password every request has an Authorization header (basic login).'}
      </Text>
      {isEditor ? <CredentialsForm endpoint={endpoint} /> : null}
    </Stack>
  );
}

function CredentialsForm({ endpoint }: { endpoint: Endpoint }) {
  const { workspace } = usePlace();
  const update = useUpdateEndpoint();
  const form = useForm({ initialValues: { authUsername: '', authPassword: '' } });
  const params = { path: { workspaceId: workspace.id, id: endpoint.id } };
  const [isRemoving, { open, close }] = useDisclosure();
  const remove = () =>
    update.mutate({ params, body: { authUsername: null, authPassword: null } }, { onSettled: close });
  return (
    <Form
      draft={form}
      error={update.error}
      onSubmit={() => update.mutate({ params, body: form.values }, { onSuccess: form.reset })}
    >
      <Group gap="sm" align="flex-end">
        <FormField of="authUsername">
          <TextInput label="Username" required autoComplete="off" inputWrapperOrder={ERROR_ABOVE} />
        </FormField>
        <FormField of="authPassword">
          <PasswordInput
            label="Password"
            required
            w={200}
            autoComplete="new-password"
            inputWrapperOrder={ERROR_ABOVE}
          />
        </FormField>
        <Button type="submit" variant="default" size="sm" loading={update.isPending}>
          {endpoint.hasAuth ? 'Replace' : 'Set'}
        </Button>
        {endpoint.hasAuth ? (
          <Button variant="subtle" color="red" size="sm" disabled={update.isPending} onClick={open}>
            Remove
          </Button>
        ) : null}
      </Group>
      <FormRefusal title="Nothing was changed" />
      <ConfirmDialog
        opened={isRemoving}
        onClose={close}
        title="Remove the login?"
        action="Remove login"
        onConfirm={remove}
        pending={update.isPending}
        error={null}
      >
        The password is deleted, and cannot be shown or brought back. Requests from now on are sent without a login.
      </ConfirmDialog>
    </Form>
  );
}
