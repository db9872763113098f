import { Button, Center, Paper, Stack, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../../client/api.ts';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { usePageTitle } from '../../../components/page-header.tsx';

/** Where the link of `posthorn-admin sign-in-link` leads. A program that opens links presses no button. */
export function SignInLinkPage() {
  usePageTitle('Sign in');
  const [token] = useState(() => new URLSearchParams(window.location.hash.slice(1)).get('token') ?? '');
  const router = useRouter();
  const queryClient = useQueryClient();
  const signIn = api.useMutation('post', '/api/auth/sign-in-link', {
    onSuccess: () => {
      queryClient.clear();
      router.history.replace('/');
    },
  });
  return (
    <Center mih="100dvh" p="md" bg="var(--surface)">
      <Paper withBorder p="xl" w="100%" maw={380} bg="var(--surface-raised)">
        <Title order={1} mb="lg">
          Sign in
        </Title>
        <Stack gap="md">
          <Text size="sm">The operator of this installation made this link for you. It works once.</Text>
          {signIn.error ? <ErrorNotice title="You are not signed in" error={signIn.error} /> : null}
          <Button size="sm" onClick={() => signIn.mutate({ body: { token } })} loading={signIn.isPending}>
            Sign in
          </Button>
        </Stack>
      </Paper>
    </Center>
  );
}
