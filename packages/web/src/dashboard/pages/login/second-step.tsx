import { Button, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { api } from '../../../client/api.ts';
import { ApiError } from '../../../client/api-error.ts';
import { ErrorNotice } from '../../../components/error-notice.tsx';

/** A login whose password was right. */
export type Challenge = { challenge: string; methods: readonly string[] };

/** The code of the authenticator app, or a recovery code. `onStartAgain` leads back to the password. */
export function SecondStep(props: { given: Challenge; onDone: () => void; onStartAgain: () => void }) {
  const { given, onDone, onStartAgain } = props;
  const hasRecoveryCodes = given.methods.includes('recovery_code');
  const [isRecovery, setRecovery] = useState(!given.methods.includes('authenticator'));
  const [code, setCode] = useState('');
  const finish = api.useMutation('post', '/api/auth/login/second-factor', { onSuccess: onDone });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    finish.mutate({ body: { challenge: given.challenge, code } });
  };
  const switchTo = (recovery: boolean) => {
    setRecovery(recovery);
    setCode('');
    finish.reset();
  };
  const hasEnded = finish.error instanceof ApiError && finish.error.code === 'not_found';
  if (hasEnded) {
    return (
      <Stack gap="md">
        <ErrorNotice title="You are not logged in" error={finish.error} />
        <Button size="sm" onClick={onStartAgain} data-autofocus>
          Start again
        </Button>
      </Stack>
    );
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <TextInput
          // A new field: it takes the focus, and a password manager looks at it anew.
          key={isRecovery ? 'recovery' : 'app'}
          label={isRecovery ? 'Recovery code' : 'Code'}
          description={
            isRecovery
              ? 'One of the ten codes that you kept. Each can be used once.'
              : 'The six digits that your authenticator app shows now.'
          }
          ff="monospace"
          autoComplete={isRecovery ? 'off' : 'one-time-code'}
          inputMode={isRecovery ? 'text' : 'numeric'}
          required
          withAsterisk={false}
          autoFocus
          value={code}
          onChange={({ currentTarget }) => setCode(currentTarget.value)}
        />
        {finish.error ? <ErrorNotice title="You are not logged in" error={finish.error} /> : null}
        <Button type="submit" size="sm" loading={finish.isPending}>
          Log in
        </Button>
        {hasRecoveryCodes && given.methods.includes('authenticator') ? (
          <Button variant="subtle" size="compact-sm" onClick={() => switchTo(!isRecovery)}>
            {isRecovery ? 'Use a code of the app' : 'Use a recovery code'}
          </Button>
        ) : null}
        <Text size="sm" c="dimmed">
          Lost both? The operator of this installation can remove the second factor.
        </Text>
        <Button variant="subtle" color="gray" size="compact-sm" onClick={onStartAgain}>
          Back
        </Button>
      </Stack>
    </form>
  );
}
