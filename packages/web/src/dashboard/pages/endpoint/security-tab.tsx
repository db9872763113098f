import { Stack, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../client/api.ts';
import type { Endpoint } from '../../../client/resources.ts';
import { OAuth2, Tls } from '../../../components/connection/connection.tsx';
import type { ConnectionChange } from '../../../components/connection/connection-draft.ts';
import { PublicKey } from '../../../components/public-key.tsx';
import { ReceiverCode } from '../../../components/receiver-code.tsx';
import { getsRequests } from '../../../components/request/signatures.ts';
import { SecretHeaders } from '../../../components/secret-headers.tsx';
import { Sections } from '../../../components/sections.tsx';
import { SigningSecret } from '../../../components/signing-secret.tsx';
import { usePlace } from '../../place.ts';
import { mayAdminister, mayChange } from '../../role.ts';
import { showEndpoint, useChangeEndpoint, useUpdateEndpoint } from '../endpoints/use-update-endpoint.ts';
import { Credentials } from './credentials.tsx';
import { OwnLibrary } from './own-library.tsx';

/** The signing secret, which proves to a receiver that a request is genuine, and the credentials for gateways. */
export function SecurityTab({ endpoint }: { endpoint: Endpoint }) {
  const isEditor = mayChange(usePlace());
  const { mutateAsync } = useChangeEndpoint(endpoint.id);
  const { config, publicKey, hasAuth, credentialNames: names, secretHeaderNames } = endpoint;
  const change = (given: ConnectionChange) => mutateAsync(given);
  const connection = { config, names, mayChange: isEditor, change };
  const none = { isSet: false, content: null };
  const sections = [
    { name: 'Signing secret', isSet: true, content: <Secret endpoint={endpoint} /> },
    {
      name: 'Public key',
      isSet: publicKey !== null,
      content: <PublicKey publicKey={publicKey} none={NO_KEY} />,
    },
    {
      name: 'Credentials',
      ...(endpoint.type === 'webhook'
        ? { isSet: hasAuth, content: <Credentials endpoint={endpoint} isEditor={isEditor} /> }
        : none),
    },
    {
      name: 'Secret headers',
      ...(getsRequests(endpoint)
        ? { isSet: secretHeaderNames.length > 0, content: <Headers endpoint={endpoint} isEditor={isEditor} /> }
        : none),
    },
    {
      name: 'OAuth 2',
      ...(endpoint.type === 'webhook'
        ? { isSet: config.oauth2 !== undefined, content: <OAuth2 {...connection} /> }
        : none),
    },
    {
      name: 'TLS',
      ...(endpoint.type === 'webhook' ? { isSet: config.tls !== undefined, content: <Tls {...connection} /> } : none),
    },
  ];
  return (
    <Stack gap="xl">
      <Sections sections={sections.filter(({ content }) => content !== null)} />
      <Snippets />
    </Stack>
  );
}

function Secret({ endpoint: { id, secret } }: { endpoint: Endpoint }) {
  const place = usePlace();
  const queryClient = useQueryClient();
  const path = '/api/workspaces/{workspaceId}/endpoints/{id}/secret/rotate';
  const { mutateAsync } = api.useMutation('post', path, {
    onSuccess: (endpoint) => showEndpoint(queryClient, place, endpoint),
  });
  const params = { path: { workspaceId: place.workspace.id, id } };
  return (
    <SigningSecret
      secret={secret}
      hidden="Your role may not see the secret."
      mayRotate={secret !== null && mayAdminister(place)}
      rotate={(gracePeriodSeconds) => mutateAsync({ params, body: { gracePeriodSeconds } })}
    />
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

/** Code that verifies the signature, in a language of the reader's choice. */
function Snippets() {
  const [language, setLanguage] = useState('TypeScript');
  return (
    <Stack gap="sm" component="section" aria-label="Verify the signature">
      <Title order={2}>Verify the signature</Title>
      <ReceiverCode
        language={language}
        onChoose={setLanguage}
        first={{ label: 'With Posthorn’s library', content: <OwnLibrary language={language} /> }}
      />
    </Stack>
  );
}

const NO_KEY =
  'Requests are signed with the secret alone. Choose Ed25519 under Advanced for a signature that a public key verifies.';
