import { Button, Group, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import type { Endpoint } from '../../../client/resources.ts';
import { OAuth2, Tls } from '../../../components/connection/connection.tsx';
import type { ConnectionChange } from '../../../components/connection/connection-draft.ts';
import { CopyButton } from '../../../components/copy-button.tsx';
import { PublicKey } from '../../../components/public-key.tsx';
import { ReceiverCode } from '../../../components/receiver-code.tsx';
import { getsRequests } from '../../../components/request/signatures.ts';
import { SecretHeaders } from '../../../components/secret-headers.tsx';
import { usePlace } from '../../place.ts';
import { mayAdminister, mayChange } from '../../role.ts';
import { useChangeEndpoint, useUpdateEndpoint } from '../endpoints/use-update-endpoint.ts';
import { Credentials } from './credentials.tsx';
import { RotateSecret, type Rotation } from './rotate-secret.tsx';
import { SecretAxis } from './secret-axis.tsx';

/** What proves to the receiver that a request is genuine, and what proves it to a gateway before it. */
export function SecurityTab({ endpoint }: { endpoint: Endpoint }) {
  const isEditor = mayChange(usePlace());
  return (
    <Stack gap="xl">
      <SigningSecret endpoint={endpoint} />
      <PublicKey publicKey={endpoint.publicKey} none={NO_KEY} />
      {endpoint.type === 'webhook' ? <Credentials endpoint={endpoint} isEditor={isEditor} /> : null}
      {getsRequests(endpoint) ? <Headers endpoint={endpoint} isEditor={isEditor} /> : null}
      {endpoint.type === 'webhook' ? <Connection endpoint={endpoint} isEditor={isEditor} /> : null}
      <Snippets />
    </Stack>
  );
}

function SigningSecret({ endpoint }: { endpoint: Endpoint }) {
  const place = usePlace();
  const [isRotating, { open, close }] = useDisclosure();
  const [rotation, setRotation] = useState<Rotation | null>(null);
  return (
    <Stack gap="sm" component="section" aria-label="Signing secret">
      <Title order={2}>Signing secret</Title>
      {endpoint.secret === null ? (
        <Text size="sm" c="dimmed">
          Your role may not see the secret.
        </Text>
      ) : (
        <Group gap="sm">
          <Group gap="xs" wrap="nowrap" w="min(500px, 100%)">
            <PasswordInput
              readOnly
              aria-label="Signing secret"
              flex={1}
              autoComplete="off"
              visibilityToggleButtonProps={{ 'aria-label': 'Show the secret' }}
              styles={{ innerInput: { fontFamily: 'var(--mono)', fontSize: 12.5 } }}
              value={endpoint.secret}
            />
            <CopyButton value={endpoint.secret} what="the secret" />
          </Group>
          {mayAdminister(place) ? (
            <Button variant="default" onClick={open}>
              Rotate …
            </Button>
          ) : null}
        </Group>
      )}
      {rotation === null ? null : <SecretAxis {...rotation} />}
      <RotateSecret endpointId={endpoint.id} opened={isRotating} onClose={close} onRotated={setRotation} />
    </Stack>
  );
}

function Headers({ endpoint, isEditor }: { endpoint: Endpoint; isEditor: boolean }) {
  const { workspace } = usePlace();
  const { mutateAsync } = useUpdateEndpoint();
  const params = { path: { workspaceId: workspace.id, id: endpoint.id } };
  return (
    <SecretHeaders
      names={endpoint.secretHeaderNames}
      mayChange={isEditor}
      change={(secretHeaders) => mutateAsync({ params, body: { secretHeaders } })}
    />
  );
}

function Connection({ endpoint, isEditor }: { endpoint: Endpoint; isEditor: boolean }) {
  const { mutateAsync } = useChangeEndpoint(endpoint.id);
  const given = {
    ...{ config: endpoint.config, names: endpoint.credentialNames, mayChange: isEditor },
    change: (change: ConnectionChange) => mutateAsync(change),
  };
  return (
    <>
      <OAuth2 {...given} />
      <Tls {...given} />
    </>
  );
}

/** Code that verifies the signature, in six languages. */
function Snippets() {
  const [language, setLanguage] = useState('TypeScript');
  return (
    <Stack gap="sm" component="section" aria-label="Verify the signature">
      <Title order={2}>Verify the signature</Title>
      <ReceiverCode language={language} onChoose={setLanguage} />
    </Stack>
  );
}

const NO_KEY =
  'Requests are signed with the secret alone. Choose Ed25519 under Advanced for a signature that a public key verifies.';
