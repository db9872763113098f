import { Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../client/api.ts';
import type { Endpoint } from '../../client/resources.ts';
import { PublicKey } from '../../components/public-key.tsx';
import { ReceiverCode } from '../../components/receiver-code.tsx';
import { SigningSecret } from '../../components/signing-secret.tsx';
import { t } from '../../language/language.ts';
import { useReadAgain } from '../portal-queries.ts';
import { useMay } from '../session.ts';

const NO_KEY = t(
  'Messages are signed with the secret alone. Choose Ed25519 under Settings for a signature that a public key verifies.',
);

/** The signing secret, its rotation, and code that verifies signatures. */
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
        <Secret endpoint={endpoint} />
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

function Secret({ endpoint: { id, secret } }: { endpoint: Endpoint }) {
  const { mutateAsync } = api.useMutation('post', '/api/portal/endpoints/{id}/secret/rotate', {
    onSuccess: useReadAgain(),
  });
  return (
    <SigningSecret
      secret={secret}
      hidden={t('You may not see the secret in this session.')}
      mayRotate={useMay('secrets:rotate')}
      rotate={(gracePeriodSeconds) => mutateAsync({ params: { path: { id } }, body: { gracePeriodSeconds } })}
    />
  );
}
