import { Button, Checkbox, type CheckboxGroupProps, MultiSelect, Stack, TagsInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
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

/** Creates a management token, and shows it once. */
export function CreateTokenSheet({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <SideSheet opened={opened} onClose={onClose} title="Create management token">
      {opened ? <CreateToken onDone={onClose} /> : null}
    </SideSheet>
  );
}

function CreateToken({ onDone }: { onDone: () => void }) {
  const place = usePlace();
  const form = useForm({
    initialValues: {
      ...{ name: '', scopes: ['read', 'write'] as Scope[], expiresAt: '' },
      ...{ environmentIds: [] as string[], allowedNetworks: [] as string[] },
    },
  });
  const { environmentIds, allowedNetworks, expiresAt, ...named } = form.values;
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
        sentence={
          expiresAt === '' ? 'It works until it is deleted.' : 'It works until its end, or until it is deleted.'
        }
        onDone={onDone}
      />
    );
  }
  return (
    <Form
      draft={form}
      error={create.error}
      onSubmit={() => create.mutate({ ...named, ...boundsOf({ environmentIds, allowedNetworks, expiresAt }) })}
    >
      <Stack gap="md">
        <FormField of="name">
          <TextInput label="Name" required data-autofocus />
        </FormField>
        <FormField of="scopes">
          <ScopeChoice />
        </FormField>
        <FormField of="environmentIds">
          <MultiSelect
            label="Environments"
            description="It sees and changes only what belongs to these. Of the workspace itself it only reads."
            placeholder={environmentIds.length === 0 ? 'All' : undefined}
            data={place.environments.map(({ id, name: label }) => ({ value: id, label }))}
          />
        </FormField>
        <FormField of="allowedNetworks">
          <TagsInput
            label="Allowed networks"
            description="Addresses and ranges, such as 203.0.113.0/24, from which it may be used."
            placeholder={allowedNetworks.length === 0 ? 'All' : undefined}
          />
        </FormField>
        <FormField of="expiresAt">
          <DateTimeField
            label="Ends at"
            description="In UTC. Without a time it never ends."
            value={expiresAt}
            onChange={(end) => form.setFieldValue('expiresAt', end)}
          />
        </FormField>
        <FormRefusal title="The token was not created" />
        <Button type="submit" size="sm" loading={create.isPending} disabled={named.scopes.length === 0}>
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

type Bounds = { environmentIds: string[]; allowedNetworks: string[]; expiresAt: string };

/** The token's limits for the request. An empty choice means no limit. */
function boundsOf({ environmentIds, allowedNetworks, expiresAt }: Bounds) {
  return {
    environmentIds: environmentIds.length === 0 ? null : environmentIds,
    allowedNetworks: allowedNetworks.length === 0 ? null : allowedNetworks,
    expiresAt: utcOf(expiresAt),
  };
}

const SCOPES: readonly [Scope, string][] = [
  ['read', 'Read everything except payloads'],
  ['write', 'Change everything except API keys and secrets'],
  ['keys', 'API keys, and the rotation of secrets'],
  ['payloads', 'Read payloads, together with read'],
];

function ScopeChoice(group: Partial<CheckboxGroupProps>) {
  return (
    <Checkbox.Group {...group}>
      <Stack gap="sm">
        {SCOPES.map(([scope, words]) => (
          <Checkbox key={scope} size="xs" value={scope} label={scope} description={words} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
