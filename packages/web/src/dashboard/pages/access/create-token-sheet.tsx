import { Button, Checkbox, MultiSelect, Stack, TagsInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { client } from '../../../client/api.ts';
import type { Scope } from '../../../client/resources.ts';
import { DateTimeField } from '../../../components/date-time-field.tsx';
import { Form, FormField, FormRefusal } from '../../../components/form.tsx';
import { SecretOnce } from '../../../components/secret-once.tsx';
import { SideSheet } from '../../../components/side-sheet.tsx';
import { utcOf } from '../../../components/time-range.ts';
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
  const [environmentIds, setEnvironmentIds] = useState<string[]>([]);
  const [allowedNetworks, setAllowedNetworks] = useState<string[]>([]);
  const [end, setEnd] = useState('');
  const params = { path: { workspaceId: place.workspace.id } };
  const create = useAccessChange(
    tokensQuery(place).queryKey,
    (body: NewToken) => client.POST('/api/workspaces/{workspaceId}/management-tokens', { params, body }),
    {
      isToldElsewhere: true,
      afterClose: (_, sent) =>
        `The token ${sent.name} was created, but it was not shown. Delete it, and create another one.`,
    },
  );
  const token = create.data?.data?.token ?? undefined;
  if (token !== undefined) {
    return (
      <SecretOnce
        secret={token}
        what="the token"
        sentence={end === '' ? 'It works until it is deleted.' : 'It works until its end, or until it is deleted.'}
        onDone={onDone}
      />
    );
  }
  return (
    <Form
      error={create.error}
      onSubmit={() => create.mutate({ name, scopes, ...boundsOf({ environmentIds, allowedNetworks, end }) })}
    >
      <Stack gap="md">
        <FormField of="name">
          <TextInput
            label="Name"
            required
            data-autofocus
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
        </FormField>
        <ScopeChoice scopes={scopes} onChange={setScopes} />
        <FormField of="environmentIds">
          <MultiSelect
            label="Environments"
            description="It sees and changes only what belongs to these. Of the workspace itself it only reads."
            placeholder={environmentIds.length === 0 ? 'All' : undefined}
            data={place.environments.map(({ id, name: label }) => ({ value: id, label }))}
            value={environmentIds}
            onChange={setEnvironmentIds}
          />
        </FormField>
        <FormField of="allowedNetworks">
          <TagsInput
            label="Allowed networks"
            description="Addresses and ranges, such as 203.0.113.0/24, from which it may be used."
            placeholder={allowedNetworks.length === 0 ? 'All' : undefined}
            value={allowedNetworks}
            onChange={setAllowedNetworks}
          />
        </FormField>
        <FormField of="expiresAt">
          <DateTimeField
            label="Ends at"
            description="In UTC. Without a time it never ends."
            value={end}
            onChange={setEnd}
          />
        </FormField>
        <FormRefusal title="The token was not created" />
        <Button type="submit" size="sm" loading={create.isPending} disabled={scopes.length === 0}>
          Create token
        </Button>
      </Stack>
    </Form>
  );
}

type NewToken = {
  name: string;
  scopes: Scope[];
  environmentIds: string[] | null;
  allowedNetworks: string[] | null;
  expiresAt: string | undefined;
};

type Bounds = { environmentIds: string[]; allowedNetworks: string[]; end: string };

/** Nothing chosen stands for everything. */
function boundsOf({ environmentIds, allowedNetworks, end }: Bounds) {
  return {
    environmentIds: environmentIds.length === 0 ? null : environmentIds,
    allowedNetworks: allowedNetworks.length === 0 ? null : allowedNetworks,
    expiresAt: utcOf(end),
  };
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
