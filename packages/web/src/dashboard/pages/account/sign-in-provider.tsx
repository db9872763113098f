import { Button, Stack, Text } from '@mantine/core';
import { api } from '../../../client/api.ts';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { Setting } from '../settings/setting.tsx';

/** Connects the account with the person's account at the sign-in provider. */
export function SignInProvider({ name, isConnected }: { name: string; isConnected: boolean }) {
  const connect = api.useMutation('post', '/api/auth/oidc/connect', {
    onSuccess: ({ url }) => window.location.assign(url),
  });
  const returnTo = window.location.pathname;
  return (
    <Setting title={name} sentence={`Sign in with ${name} instead of a password.`}>
      {isConnected ? (
        <Text size="sm">Your account is connected with {name}.</Text>
      ) : (
        <Stack gap="sm" align="flex-start">
          {connect.error ? <ErrorNotice title="Your account was not connected" error={connect.error} /> : null}
          <Button
            variant="default"
            size="sm"
            loading={connect.isPending}
            onClick={() => connect.mutate({ body: { returnTo } })}
          >
            Connect {name}
          </Button>
        </Stack>
      )}
    </Setting>
  );
}
