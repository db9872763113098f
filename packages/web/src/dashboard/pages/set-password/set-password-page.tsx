import { Button, PasswordInput, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../../client/api.ts';
import { Form, FormField, FormRefusal } from '../../../components/form.tsx';
import { usePageTitle } from '../../../components/page-header.tsx';
import { CardPage } from '../../card-page.tsx';

/** Accepts an invitation, or sets a new password with the operator's token. Both are in the fragment of the address. */
export function SetPasswordPage() {
  usePageTitle('Set a password');
  const navigate = useNavigate();
  const [token] = useState(() => new URLSearchParams(window.location.hash.slice(1)).get('token') ?? '');
  const [password, setPassword] = useState('');
  const set = api.useMutation('post', '/api/auth/set-password', {
    onSuccess: () => void navigate({ to: '/login', search: { returnTo: '/' }, replace: true }),
  });
  return (
    <CardPage
      title="Posthorn"
      lead="Choose a password of at least 8 characters. If you were invited and have an account already, enter its password."
    >
      <Form error={set.error} onSubmit={() => set.mutate({ body: { token, password } })}>
        <Stack gap="md">
          <FormField of="password">
            <PasswordInput
              label="Password"
              autoComplete="new-password"
              required
              withAsterisk={false}
              autoFocus
              value={password}
              onChange={({ currentTarget }) => setPassword(currentTarget.value)}
            />
          </FormField>
          <FormRefusal title="The password was not accepted" />
          <Button type="submit" size="sm" loading={set.isPending}>
            Continue
          </Button>
        </Stack>
      </Form>
    </CardPage>
  );
}
