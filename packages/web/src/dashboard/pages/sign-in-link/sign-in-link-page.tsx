import { Button, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../../client/api.ts';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { usePageTitle } from '../../../components/page-header.tsx';
import { CardPage } from '../../card-page.tsx';

/** The page behind a link from `posthorn-admin sign-in-link`. It needs a click, because programs also open links. */
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
    <CardPage title="Sign in">
      <Stack gap="md">
        <Text size="sm">The operator of this installation made this link for you. It works once.</Text>
        {signIn.error ? <ErrorNotice title="You are not signed in" error={signIn.error} /> : null}
        <Button size="sm" onClick={() => signIn.mutate({ body: { token } })} loading={signIn.isPending}>
          Sign in
        </Button>
      </Stack>
    </CardPage>
  );
}
