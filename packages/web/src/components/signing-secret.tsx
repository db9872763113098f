import { Button, Group, PasswordInput, Select, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { nowMs } from '../clock.ts';
import { t } from '../language/language.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { CopyButton } from './copy-button.tsx';
import { SecretAxis } from './secret-axis.tsx';

type Props = {
  /** Null for readers who may not see it. */
  secret: string | null;
  /** The text for those readers. */
  hidden: string;
  mayRotate: boolean;
  /** Makes a new secret. The old one also signs for this many seconds. */
  rotate: (gracePeriodSeconds: number) => Promise<unknown>;
};

/** The signing secret, and its rotation, which shows how long both secrets sign. */
export function SigningSecret({ secret, hidden, mayRotate, rotate }: Props) {
  const [isOpen, { open, close }] = useDisclosure();
  const [grace, setGrace] = useState(DAY);
  const graceSeconds = Number(grace);
  const rotation = useMutation({
    mutationFn: async () => {
      await rotate(graceSeconds);
      return { atMs: nowMs(), graceSeconds };
    },
    onSuccess: close,
  });
  return (
    <Stack gap="sm">
      <Group gap="sm">
        {secret === null ? (
          <Text size="sm" c="dimmed">
            {hidden}
          </Text>
        ) : (
          <Group gap="xs" wrap="nowrap" w="min(500px, 100%)">
            <PasswordInput
              readOnly
              aria-label={t('Signing secret')}
              flex={1}
              autoComplete="off"
              visibilityToggleButtonProps={{ 'aria-label': t('Show the secret') }}
              styles={{ innerInput: { fontFamily: 'var(--mono)', fontSize: 12.5 } }}
              value={secret}
            />
            <CopyButton value={secret} what={t('the secret')} />
          </Group>
        )}
        {mayRotate ? (
          <Button variant="default" onClick={open}>
            {t('Rotate …')}
          </Button>
        ) : null}
      </Group>
      {rotation.data === undefined ? null : <SecretAxis {...rotation.data} />}
      <ConfirmDialog
        opened={isOpen}
        onClose={close}
        title={t('Rotate the secret?')}
        action={t('Rotate secret')}
        onConfirm={() => rotation.mutate()}
        pending={rotation.isPending}
        error={rotation.error}
      >
        <Stack gap="md">
          <span>
            {t('A new secret signs from now on. While the old one signs, too, your endpoint may use either.')}
          </span>
          <Select
            label={t('The old secret signs')}
            size="sm"
            allowDeselect={false}
            data={GRACES}
            value={grace}
            onChange={(value) => setGrace(value ?? DAY)}
          />
          <SecretAxis atMs={null} graceSeconds={graceSeconds} />
        </Stack>
      </ConfirmDialog>
    </Stack>
  );
}

const DAY = '86400';

const GRACES = [
  { value: DAY, label: t('for 24 hours') },
  { value: '3600', label: t('for 1 hour') },
  { value: '259200', label: t('for 3 days') },
  { value: '604800', label: t('for 7 days') },
  { value: '0', label: t('no longer: it ends at once') },
];
