import { Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { api } from '../../../client/api.ts';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { TextLink } from '../../../components/links.tsx';
import { usePageTitle } from '../../../components/page-header.tsx';
import { CardPage } from '../../card-page.tsx';
import { safeReturnTo } from '../../safe-return-to.ts';
import { CALLBACK_QUERY } from './callback-query.ts';

/** The page to which the sign-in provider redirects the browser. */
export function CallbackPage() {
  usePageTitle('Sign in');
  const router = useRouter();
  const queryClient = useQueryClient();
  const { mutate, error } = api.useMutation('post', '/api/auth/oidc/finish', {
    onSuccess: ({ returnTo, openInvitations }) => {
      queryClient.clear();
      const next = safeReturnTo(returnTo);
      if (openInvitations === 0) router.history.replace(next);
      else void router.navigate({ to: '/invitations', search: { returnTo: next }, replace: true });
    },
  });
  useEffect(() => {
    // The code works once, so it must not stay in the browser's history.
    window.history.replaceState(window.history.state, '', window.location.pathname);
    mutate({ body: { query: CALLBACK_QUERY === '' ? '?' : CALLBACK_QUERY } });
  }, [mutate]);
  return (
    <CardPage title="Sign in" width={440}>
      {error ? (
        <Stack gap="md">
          <ErrorNotice title="You are not signed in" error={error} />
          <Text size="sm">
            <TextLink to="/login" search={{ returnTo: '/' }}>
              Back to the login
            </TextLink>
          </Text>
        </Stack>
      ) : (
        <Text size="sm" role="status">
          One moment …
        </Text>
      )}
    </CardPage>
  );
}
