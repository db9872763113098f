import { Button, Group, PasswordInput, Select, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { api } from '../../client/api.ts';
import type { Endpoint } from '../../client/resources.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { PublicKey } from '../../components/public-key.tsx';
import { ReceiverCode } from '../../components/receiver-code.tsx';
import { t } from '../../language/language.ts';
import { useReadAgain } from '../portal-queries.ts';
import { useMay } from '../session.ts';

const NO_KEY = t(
  'Messages are signed with the secret alone. Choose Ed25519 under Settings for a signature that a public key verifies.',
);

/** The secret that signs, its rotation, and the code that verifies. */
export function SecretTab({ endpoint }: { endpoint: Endpoint }) {
  const [language, setLanguage] = useState('TypeScript');
  return (
    <Stack gap="xl">
      <Stack gap="sm" component="section" aria-label={t('Signing secret')}>
        <Title order={2}>{t('Signing secret')}</Title>
        <Text size="sm" c="dimmed">
          {t(
            'Every message to your endpoint is signed with this secret. Check the signature before you trust a message.',
          )}
        </Text>
        <Secret secret={endpoint.secret} />
        <Rotation id={endpoint.id} />
      </Stack>
      <Stack gap="sm" component="section" aria-label={t('Public key')}>
        <Title order={2}>{t('Public key')}</Title>
        <PublicKey publicKey={endpoint.publicKey} none={NO_KEY} />
      </Stack>
      <Stack gap="sm" component="section" aria-label={t('Check the signature')}>
        <Title order={2}>{t('Check the signature')}</Title>
        <ReceiverCode language={language} onChoose={setLanguage} />
      </Stack>
    </Stack>
  );
}

function Secret({ secret }: { secret: string | null }) {
  if (secret === null) return <Text size="sm">{t('You may not see the secret in this session.')}</Text>;
  return (
    <Group gap="sm" wrap="nowrap">
      <PasswordInput
        readOnly
        aria-label={t('Signing secret')}
        w="min(460px, 100%)"
        autoComplete="off"
        visibilityToggleButtonProps={{ 'aria-label': t('Show the secret') }}
        styles={{ innerInput: { fontFamily: 'var(--mono)', fontSize: 12.5 } }}
        value={secret}
      />
      <CopyButton value={secret} what={t('the secret')} />
    </Group>
  );
}

const GRACES = [
  { value: '86400', label: t('for 24 hours') },
  { value: '604800', label: t('for 7 days') },
  { value: '0', label: t('no longer: it ends at once') },
];

function Rotation({ id }: { id: string }) {
  const [isOpen, { open, close }] = useDisclosure();
  const [grace, setGrace] = useState('86400');
  const readAgain = useReadAgain();
  const rotate = api.useMutation('post', '/api/portal/endpoints/{id}/secret/rotate', {
    onSuccess: () => {
      void readAgain();
      close();
    },
  });
  const confirm = () =>
    rotate.mutate({ params: { path: { id } }, body: { gracePeriodSeconds: Number.parseInt(grace, 10) } });
  if (!useMay('secrets:rotate')) return null;
  return (
    <>
      <Button variant="default" w="fit-content" onClick={open}>
        {t('Rotate …')}
      </Button>
      <ConfirmDialog
        opened={isOpen}
        onClose={close}
        title={t('Rotate the secret?')}
        action={t('Rotate secret')}
        onConfirm={confirm}
        pending={rotate.isPending}
        error={rotate.error}
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
            onChange={(value) => setGrace(value ?? '86400')}
          />
        </Stack>
      </ConfirmDialog>
    </>
  );
}
