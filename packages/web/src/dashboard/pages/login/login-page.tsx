import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { api } from '../../../client/api.ts';
import { Form, FormRefusal } from '../../../components/form.tsx';
import { TextLink } from '../../../components/links.tsx';
import { usePageTitle } from '../../../components/page-header.tsx';
import { CardPage } from '../../card-page.tsx';
import { ProviderButton } from '../sign-in-provider/provider-button.tsx';
import type { Challenge } from './second-step.tsx';

/** Lazy, because most logins have no second step. */
const SecondStep = lazy(async () => ({ default: (await import('./second-step.tsx')).SecondStep }));

/**
 * Logs in. The session is a cookie that scripts cannot read. Afterwards the reader returns to the page that needed it.
 */
export function LoginPage() {
  usePageTitle('Log in');
  const { returnTo } = getRouteApi('/login').useSearch();
  const router = useRouter();
  const queryClient = useQueryClient();
  const offer = api.useQuery('get', '/api/auth/sign-in');
  const provider = offer.data?.provider ?? null;
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [second, setSecond] = useState<Challenge | undefined>(undefined);
  const enter = () => {
    queryClient.clear();
    router.history.push(returnTo);
  };
  const login = api.useMutation('post', '/api/auth/login', {
    onSuccess: ({ challenge, methods = [] }) => {
      if (challenge === undefined) enter();
      else setSecond({ challenge, methods });
    },
  });
  const startAgain = () => {
    setSecond(undefined);
    setPassword('');
  };
  return (
    <CardPage
      title="Posthorn"
      lead={second === undefined ? 'Log in to the dashboard.' : 'Your password is right. Now the second factor.'}
    >
      {second !== undefined ? (
        <Suspense>
          <SecondStep given={second} onDone={enter} onStartAgain={startAgain} />
        </Suspense>
      ) : offer.isPending ? null : (
        <Stack gap="md">
          {offer.data?.passwordLogin === false ? null : (
            <Form error={login.error} onSubmit={() => login.mutate({ body: { email, password } })}>
              <Stack gap="md">
                <TextInput
                  label="Email"
                  type="email"
                  autoComplete="username"
                  required
                  withAsterisk={false}
                  autoFocus
                  value={email}
                  onChange={({ currentTarget }) => setEmail(currentTarget.value)}
                />
                <PasswordInput
                  label="Password"
                  autoComplete="current-password"
                  required
                  withAsterisk={false}
                  value={password}
                  onChange={({ currentTarget }) => setPassword(currentTarget.value)}
                />
                <FormRefusal title="The login failed" />
                <Button type="submit" size="sm" loading={login.isPending}>
                  Log in
                </Button>
                <Text size="sm">
                  <TextLink to="/forgot-password">Forgot password?</TextLink>
                </Text>
              </Stack>
            </Form>
          )}
          {provider === null ? null : <ProviderButton name={provider} returnTo={returnTo} />}
        </Stack>
      )}
    </CardPage>
  );
}
