import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../../client/api.ts';
import { ApiError } from '../../../client/api-error.ts';
import { hasPasskeys, namelessPage, signWithPasskey } from '../../../client/passkeys.ts';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { Form } from '../../../components/form.tsx';
import { NeedsName } from '../../../components/needs-name.tsx';

/** A login with a correct password that still needs a second factor. */
export type Challenge = { challenge: string; methods: readonly string[] };

type Props = { given: Challenge; onDone: () => void; onStartAgain: () => void };

/** Asks for a passkey, a code of the authenticator app, or a recovery code. `onStartAgain` returns to the password. */
export function SecondStep({ given, onDone, onStartAgain }: Props) {
  const [error, setError] = useState<Error | null>(null);
  const report = { onDone, onStart: () => setError(null), onError: setError };
  if (error instanceof ApiError && error.code === 'not_found') {
    return (
      <Stack gap="md">
        <ErrorNotice title="The login failed" error={error} />
        <Button size="sm" onClick={onStartAgain}>
          Start again
        </Button>
      </Stack>
    );
  }
  const isFor = (method: string) => given.methods.includes(method);
  const nameless = isFor('passkey') ? namelessPage(window.location.href) : undefined;
  return (
    <Stack gap="md">
      {nameless === undefined ? null : <NeedsName {...nameless} />}
      {isFor('passkey') && hasPasskeys() && nameless === undefined ? <PasskeyStep given={given} {...report} /> : null}
      {isFor('authenticator') || isFor('recovery_code') ? <CodeStep given={given} {...report} /> : null}
      {error ? <ErrorNotice title="The login failed" error={error} /> : null}
      <Text size="sm" c="dimmed">
        Lost all of them? The operator of this installation can remove the second factor.
      </Text>
      <Button variant="subtle" color="gray" size="compact-sm" onClick={onStartAgain}>
        Back
      </Button>
    </Stack>
  );
}

type StepProps = { given: Challenge; onDone: () => void; onStart: () => void; onError: (error: Error) => void };

function PasskeyStep({ given: { challenge, methods }, onDone, onStart, onError }: StepProps) {
  const sign = useMutation({
    meta: { asksPassword: true },
    mutationFn: async () => {
      const { data } = await client.POST('/api/auth/login/passkey', { body: { challenge } });
      const passkey = await signWithPasskey(data?.options ?? {});
      await client.POST('/api/auth/login/second-factor', { body: { challenge, passkey } });
    },
    onMutate: onStart,
    onSuccess: onDone,
    onError,
  });
  const isOther = methods.includes('authenticator');
  return (
    <Button size="sm" variant={isOther ? 'default' : 'filled'} loading={sign.isPending} onClick={() => sign.mutate()}>
      Use a passkey
    </Button>
  );
}

/** The field's props for each kind of code. */
const APP = {
  label: 'Code',
  description: 'The six digits that your authenticator app shows now.',
  autoComplete: 'one-time-code',
  inputMode: 'numeric',
} as const;
const RECOVERY = {
  label: 'Recovery code',
  description: 'One of the ten codes that you saved. Each can be used once.',
  autoComplete: 'off',
  inputMode: 'text',
} as const;

function CodeStep({ given: { challenge, methods }, onDone, onStart, onError }: StepProps) {
  const hasApp = methods.includes('authenticator');
  const [field, setField] = useState<typeof APP | typeof RECOVERY>(hasApp ? APP : RECOVERY);
  const [code, setCode] = useState('');
  const finish = useMutation({
    meta: { asksPassword: true },
    mutationFn: () => client.POST('/api/auth/login/second-factor', { body: { challenge, code } }),
    onMutate: onStart,
    onSuccess: onDone,
    onError,
  });
  const other = field === APP ? RECOVERY : APP;
  const switchOver = () => {
    setField(other);
    setCode('');
    onStart();
  };
  return (
    <Form error={finish.error} onSubmit={finish.mutate}>
      <Stack gap="md">
        <TextInput
          // A new key makes a new field: it takes the focus, and password managers inspect it again.
          key={field.label}
          {...field}
          ff="monospace"
          required
          withAsterisk={false}
          autoFocus={hasApp}
          value={code}
          onChange={({ currentTarget }) => setCode(currentTarget.value)}
        />
        <Button type="submit" size="sm" variant={hasApp ? 'filled' : 'default'} loading={finish.isPending}>
          Log in
        </Button>
        {hasApp && methods.includes('recovery_code') ? (
          <Button variant="subtle" size="compact-sm" onClick={switchOver}>
            {other === APP ? 'Use a code of the app' : 'Use a recovery code'}
          </Button>
        ) : null}
      </Stack>
    </Form>
  );
}
