import { Button, Checkbox, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { client } from '../../../client/api.ts';
import type { Scope } from '../../../client/resources.ts';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { SecretOnce } from '../../../components/secret-once.tsx';
import { SideSheet } from '../../../components/side-sheet.tsx';
import { onSubmit } from '../../../components/submit.ts';
import { usePlace } from '../../place.ts';
import { tokensQuery } from './access-queries.ts';
import { useAccessChange } from './use-access-change.ts';

/** A new management token, shown once. */
export function CreateTokenSheet({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <SideSheet opened={opened} onClose={onClose} title="Create management token">
      {opened ? <CreateToken onDone={onClose} /> : null}
    </SideSheet>
  );
}

function CreateToken({ onDone }: { onDone: () => void }) {
  const place = usePlace();
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<Scope[]>(['read', 'write']);
  const params = { path: { workspaceId: place.workspace.id } };
  const create = useAccessChange(
    tokensQuery(place).queryKey,
    (body: { name: string; scopes: Scope[] }) =>
      client.POST('/api/workspaces/{workspaceId}/management-tokens', { params, body }),
    {
      isToldElsewhere: true,
      afterClose: (_, sent) =>
        `The token ${sent.name} was created, but it was not shown. Delete it, and create another one.`,
    },
  );
  const token = create.data?.data?.token ?? undefined;
  if (token !== undefined) {
    return <SecretOnce secret={token} what="the token" sentence="It works until it is deleted." onDone={onDone} />;
  }
  return (
    <form onSubmit={onSubmit(() => create.mutate({ name, scopes }))}>
      <Stack gap="md">
        <TextInput
          label="Name"
          required
          data-autofocus
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <ScopeChoice scopes={scopes} onChange={setScopes} />
        {create.error ? <ErrorNotice title="The token was not created" error={create.error} /> : null}
        <Button type="submit" size="sm" loading={create.isPending} disabled={scopes.length === 0}>
          Create token
        </Button>
      </Stack>
    </form>
  );
}

const SCOPES: readonly [Scope, string][] = [
  ['read', 'Read everything except payloads'],
  ['write', 'Change everything except API keys and secrets'],
  ['keys', 'API keys, and the rotation of secrets'],
  ['payloads', 'Read payloads, together with read'],
];

function ScopeChoice({ scopes, onChange }: { scopes: Scope[]; onChange: (scopes: Scope[]) => void }) {
  const toggle = (scope: Scope, isChosen: boolean) =>
    onChange(isChosen ? [...scopes, scope] : scopes.filter((one) => one !== scope));
  return (
    <Stack gap="sm" component="fieldset" p={0} m={0} style={{ border: 0 }}>
      {SCOPES.map(([scope, words]) => (
        <Checkbox
          key={scope}
          size="xs"
          label={scope}
          description={words}
          checked={scopes.includes(scope)}
          onChange={({ currentTarget }) => toggle(scope, currentTarget.checked)}
        />
      ))}
    </Stack>
  );
}
