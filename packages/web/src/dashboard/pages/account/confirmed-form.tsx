import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { fieldProblem } from '../../../client/api-error.ts';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { onSubmit } from '../../../components/submit.ts';
import { useSignInChange } from './use-sign-in-change.ts';

export type Confirmed = { currentPassword?: string };

type Props<Answer> = {
  sentence: string;
  /** What the button says. */
  action: string;
  isRemoval?: boolean;
  run: (body: Confirmed) => Promise<Answer>;
  onDone: (answer: Answer) => void;
  onClose: () => void;
  /** Other fields, before the password. */
  children?: ReactNode;
};

/** A change of how the person signs in. The password is asked for when the login is not recent: the API says so. */
export function ConfirmedForm<Answer>(props: Props<Answer>) {
  const { sentence, action, isRemoval = false, run, onDone, onClose, children } = props;
  const [password, setPassword] = useState('');
  const [isAsked, setAsked] = useState(false);
  const mutation = useSignInChange(run, { onSuccess: onDone, onAsked: () => setAsked(true) });
  const submit = () => mutation.mutate(isAsked ? { currentPassword: password } : {});
  const isOnlyAsked = fieldProblem(mutation.error, 'currentPassword') !== undefined && password === '';
  return (
    <form onSubmit={onSubmit(submit)}>
      <Stack gap="sm" maw={420}>
        <Text size="sm">{sentence}</Text>
        {children}
        {isAsked ? (
          <PasswordInput
            label="Current password"
            description="Your login was more than 10 minutes ago. If you have no password, log out and log in again."
            autoComplete="current-password"
            required
            autoFocus
            value={password}
            onChange={({ currentTarget }) => setPassword(currentTarget.value)}
          />
        ) : null}
        {mutation.error && !isOnlyAsked ? <ErrorNotice title="Nothing was changed" error={mutation.error} /> : null}
        <Group gap="sm">
          <Button type="submit" size="sm" color={isRemoval ? 'red' : undefined} loading={mutation.isPending}>
            {action}
          </Button>
          <Button variant="default" size="sm" onClick={onClose}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
