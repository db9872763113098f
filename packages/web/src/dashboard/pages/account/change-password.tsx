import { Button, PasswordInput, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client } from '../../../client/api.ts';
import { Form, FormField, FormRefusal } from '../../../components/form.tsx';
import { Setting } from '../settings/setting.tsx';
import { sessionsQuery } from './account-queries.ts';

export function ChangePassword() {
  const form = useForm({ initialValues: { currentPassword: '', newPassword: '' } });
  const change = useChangePassword(form.reset);
  return (
    <Setting title="Password" sentence="A new password ends every other session of yours.">
      <Form draft={form} error={change.error} onSubmit={() => change.mutate(form.values)}>
        <Stack gap="sm" maw={420} align="flex-start">
          <FormField of="currentPassword">
            <PasswordInput w="100%" label="Current password" autoComplete="current-password" required />
          </FormField>
          <FormField of="newPassword">
            <PasswordInput
              w="100%"
              label="New password"
              description="At least 8 characters."
              autoComplete="new-password"
              required
            />
          </FormField>
          <FormRefusal title="The password was not changed" />
          <Button type="submit" size="sm" loading={change.isPending}>
            Change password
          </Button>
        </Stack>
      </Form>
    </Setting>
  );
}

function useChangePassword(onChanged: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    meta: { asksPassword: true },
    mutationFn: (body: { currentPassword: string; newPassword: string }) =>
      client.POST('/api/auth/change-password', { body }),
    onSuccess: () => {
      onChanged();
      notifications.show({ message: 'The password was changed. Your other sessions have ended.' });
    },
    // This request also shows whether the current session has ended.
    onSettled: () => queryClient.invalidateQueries({ queryKey: sessionsQuery().queryKey }),
  });
}
