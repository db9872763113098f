import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Form, FormField, FormRefusal } from '../../../components/form.tsx';
import { useSignInChange } from './use-sign-in-change.ts';

export type Confirmed = { currentPassword?: string };

type Props<Answer> = {
  sentence: string;
  /** The label of the button. */
  action: string;
  isRemoval?: boolean;
  run: (body: Confirmed) => Promise<Answer>;
  onDone: (answer: Answer) => void;
  onClose: () => void;
  /** Other fields, above the password. */
  children?: ReactNode;
};

/**
 * A form that changes how the person signs in. It asks for the password if the API requires it: when the login is not
 * recent, or the address is not proved.
 */
export function ConfirmedForm<Answer>(props: Props<Answer>) {
  const { sentence, action, isRemoval = false, run, onDone, onClose, children } = props;
  const [password, setPassword] = useState('');
  const [isAsked, setAsked] = useState(false);
  const mutation = useSignInChange(run, { onSuccess: onDone, onAsked: () => setAsked(true) });
  const submit = () => mutation.mutate(isAsked ? { currentPassword: password } : {});
  // The refusal that first asks for the password is not shown as an error.
  const error = isAsked && mutation.variables?.currentPassword === undefined ? null : mutation.error;
  return (
    <Form error={error} onSubmit={submit}>
      <Stack gap="sm" maw={420}>
        <Text size="sm">{sentence}</Text>
        {children}
        {isAsked ? (
          <FormField of="currentPassword">
            <PasswordInput
              label="Current password"
              description="Your login was more than 10 minutes ago, or nobody has proved your address. If you have no password, log out and log in again."
              autoComplete="current-password"
              required
              autoFocus
              value={password}
              onChange={({ currentTarget }) => setPassword(currentTarget.value)}
            />
          </FormField>
        ) : null}
        <FormRefusal title="Nothing was changed" />
        <Group gap="sm">
          <Button type="submit" size="sm" color={isRemoval ? 'red' : undefined} loading={mutation.isPending}>
            {action}
          </Button>
          <Button variant="default" size="sm" onClick={onClose}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}
