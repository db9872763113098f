import { Button, PasswordInput, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../../client/api.ts';
import { Form, FormField, FormRefusal } from '../../../components/form.tsx';
import { Setting } from '../settings/setting.tsx';
import { sessionsQuery } from './account-queries.ts';

const EMPTY = { currentPassword: '', newPassword: '' };

export function ChangePassword() {
  const [draft, setDraft] = useState(EMPTY);
  const change = useChangePassword(() => setDraft(EMPTY));
  const set = (part: Partial<typeof EMPTY>) => setDraft((before) => ({ ...before, ...part }));
  return (
    <Setting title="Password" sentence="A new password ends every other session of yours.">
      <Form error={change.error} onSubmit={() => change.mutate(draft)}>
        <Stack gap="sm" maw={420} align="flex-start">
          <FormField of="currentPassword">
            <PasswordInput
              w="100%"
              label="Current password"
              autoComplete="current-password"
              required
              value={draft.currentPassword}
              onChange={({ currentTarget }) => set({ currentPassword: currentTarget.value })}
            />
          </FormField>
          <FormField of="newPassword">
            <PasswordInput
              w="100%"
              label="New password"
              description="At least 8 characters."
              autoComplete="new-password"
              required
              value={draft.newPassword}
              onChange={({ currentTarget }) => set({ newPassword: currentTarget.value })}
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
    mutationFn: (body: typeof EMPTY) => client.POST('/api/auth/change-password', { body }),
    onSuccess: () => {
      onChanged();
      notifications.show({ message: 'The password was changed. Your other sessions have ended.' });
    },
    // This list also finds out whether the own session has ended.
    onSettled: () => queryClient.invalidateQueries({ queryKey: sessionsQuery().queryKey }),
  });
}
