import { Stack, Text } from '@mantine/core';
import { t } from '../language/language.ts';
import { Id } from './id.tsx';

/** The key that verifies `v1a` signatures, with a copy button. `none` explains how to get one. */
export function PublicKey({ publicKey, none }: { publicKey: string | null; none: string }) {
  return (
    <Stack gap="sm">
      {publicKey === null ? (
        <Text size="sm" c="dimmed">
          {none}
        </Text>
      ) : (
        <>
          <Text size="sm" c="dimmed">
            {t('It verifies the Ed25519 signatures, which begin with v1a. It is not a secret.')}
          </Text>
          <Id value={publicKey} />
        </>
      )}
    </Stack>
  );
}
