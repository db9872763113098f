import { Button, Center, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../../client/api.ts';
import { fieldProblem } from '../../../client/api-error.ts';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { usePageTitle } from '../../../components/page-header.tsx';
import { onSubmit } from '../../../components/submit.ts';

/** Accepts an invitation, or sets a new password with the operator's token. Both come in the address's fragment. */
export function SetPasswordPage() {
  usePageTitle('Set a password');
  const navigate = useNavigate();
  const [token] = useState(() => new URLSearchParams(window.location.hash.slice(1)).get('token') ?? '');
  const [password, setPassword] = useState('');
  const set = api.useMutation('post', '/api/auth/set-password', {
    onSuccess: () => void navigate({ to: '/login', search: { returnTo: '/' }, replace: true }),
  });
  return (
    <Center mih="100dvh" p="md" bg="var(--surface)">
      <Paper withBorder p="xl" w="100%" maw={380} bg="var(--surface-raised)">
        <Title order={1}>Posthorn</Title>
        <Text size="sm" c="dimmed" mb="lg">
          Choose a password of at least 8 characters. If you were invited and have an account already, enter its
          password.
        </Text>
        <form onSubmit={onSubmit(() => set.mutate({ body: { token, password } }))}>
          <Stack gap="md">
            <PasswordInput
              label="Password"
              autoComplete="new-password"
              required
              withAsterisk={false}
              autoFocus
              error={fieldProblem(set.error, 'password')}
              value={password}
              onChange={({ currentTarget }) => setPassword(currentTarget.value)}
            />
            {set.error ? <ErrorNotice title="The password was not accepted" error={set.error} /> : null}
            <Button type="submit" size="sm" loading={set.isPending}>
              Continue
            </Button>
          </Stack>
        </form>
      </Paper>
    </Center>
  );
}
