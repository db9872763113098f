import { Button, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../../client/api.ts';
import { meQuery } from '../../session.ts';
import { Setting } from '../settings/setting.tsx';
import { type Confirmed, ConfirmedForm } from './confirmed-form.tsx';

/** Connects the user with an account at the sign-in provider, and removes the connection. */
export function SignInProvider({ name, isConnected }: { name: string; isConnected: boolean }) {
  const queryClient = useQueryClient();
  const [change, setChange] = useState<'connect' | 'disconnect' | null>(null);
  const close = () => setChange(null);
  const finishDisconnecting = async () => {
    await queryClient.invalidateQueries({ queryKey: meQuery().queryKey });
    close();
  };
  return (
    <Setting title={name} sentence={`Sign in with ${name} instead of a password.`}>
      {change === 'connect' ? (
        <ConfirmedForm
          sentence={`From then on, the person that you choose at ${name} signs in to your account.`}
          action={`Continue to ${name}`}
          run={connect}
          onDone={(url) => window.location.assign(url)}
          onClose={close}
        />
      ) : null}
      {change === 'disconnect' ? (
        <ConfirmedForm
          sentence={`From then on, you sign in with your password. Your other sessions that began with ${name} end.`}
          action={`Disconnect ${name}`}
          isRemoval
          run={disconnect}
          onDone={finishDisconnecting}
          onClose={close}
        />
      ) : null}
      {change === null ? (
        <Stack gap="sm" align="flex-start">
          {isConnected ? <Text size="sm">Your account is connected with {name}.</Text> : null}
          <Button variant="default" size="sm" onClick={() => setChange(isConnected ? 'disconnect' : 'connect')}>
            {isConnected ? 'Disconnect' : 'Connect'} {name}
          </Button>
        </Stack>
      ) : null}
    </Setting>
  );
}

async function connect(body: Confirmed): Promise<string> {
  const returnTo = window.location.pathname;
  const { data } = await client.POST('/api/auth/oidc/connect', { body: { ...body, returnTo } });
  return data?.url ?? returnTo;
}

const disconnect = (body: Confirmed) => client.POST('/api/auth/oidc/disconnect', { body });
