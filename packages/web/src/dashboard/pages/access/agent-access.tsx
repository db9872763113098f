import { Button, Menu, Modal, Stack, Switch, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { client } from '../../../client/api.ts';
import type { AgentKey, AgentSettings } from '../../../client/resources.ts';
import { SubscribingConfiguration } from '../../../components/agent-configuration.tsx';
import { ConfirmContent, ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { Form, FormField, FormRefusal } from '../../../components/form.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { RowMenu } from '../../../components/row-menu.tsx';
import { SecretOnce } from '../../../components/secret-once.tsx';
import { SideSheet } from '../../../components/side-sheet.tsx';
import type { Column } from '../../../components/table-columns.ts';
import { type Place, usePlace } from '../../place.ts';
import { mayAdminister } from '../../role.ts';
import { AccessList } from './access-list.tsx';
import { AGENT_SUBSCRIPTIONS, agentKeysQuery, agentSettingsQuery } from './access-queries.ts';
import { AgentIssuer } from './agent-issuer.tsx';
import { AgentSubscriptions } from './agent-subscriptions.tsx';
import { EndingState } from './ending-state.tsx';
import { useAccessChange, useAgentSettingsChange } from './use-access-change.ts';

type Opened = { kind: 'create' } | { kind: 'delete'; key: AgentKey } | null;

/**
 * The rules for agents in the environment, their keys and their subscriptions. Empty if the operator has not enabled
 * agents.
 */
export function AgentAccess() {
  const place = usePlace();
  const { data: settings } = useQuery(agentSettingsQuery(place));
  return settings?.available === true ? <Access settings={settings} /> : null;
}

function Access({ settings }: { settings: AgentSettings }) {
  const place = usePlace();
  const isAdmin = mayAdminister(place);
  const keys = useQuery(agentKeysQuery(place));
  const [opened, setOpened] = useState<Opened>(null);
  const close = () => setOpened(null);
  const keyColumns = useMemo(() => columnsOfKeys(isAdmin ? setOpened : undefined), [isAdmin]);
  return (
    <Stack gap="md" mt="xl">
      <Title order={2} size="h4">
        Agents that subscribe
      </Title>
      <EnabledSwitch settings={settings} isAdmin={isAdmin} />
      <AgentIssuer settings={settings} isAdmin={isAdmin} />
      <AccessList
        label="Agent keys"
        sentence={`With a key, an agent subscribes at ${addressIn(place)}.`}
        button={isAdmin ? <Button onClick={() => setOpened({ kind: 'create' })}>Create agent key</Button> : null}
        query={{ ...keys, data: keys.data?.agentKeys }}
        columns={keyColumns}
        rowId={({ id }) => id}
      />
      <AgentSubscriptions />
      <SideSheet opened={opened?.kind === 'create'} onClose={close} title="Create agent key">
        {opened?.kind === 'create' ? <CreateKey onDone={close} /> : null}
      </SideSheet>
      <Modal opened={opened?.kind === 'delete'} onClose={close} title="Delete the agent key?" size="sm">
        {opened?.kind === 'delete' ? <DeleteKey agentKey={opened.key} onClose={close} /> : null}
      </Modal>
    </Stack>
  );
}

/** The address at which agents subscribe. */
const addressIn = ({ environment }: Pick<Place, 'environment'>) =>
  `${window.location.origin}/mcp/events/${environment.id}`;

function EnabledSwitch({ settings, isAdmin }: { settings: AgentSettings; isAdmin: boolean }) {
  const { environment } = usePlace();
  const [isAsking, { open, close }] = useDisclosure();
  const change = useAgentSettingsChange({ onClose: close, isToldElsewhere: isAsking });
  const switchTo = (enabled: boolean) => change.mutate((now) => ({ ...now, enabled }));
  return (
    <>
      <Switch
        label={`Agents may subscribe to events of ${environment.name}`}
        description="Switching it off ends every subscription."
        checked={settings.enabled}
        disabled={!isAdmin || change.isPending}
        onChange={(event) => (event.currentTarget.checked ? switchTo(true) : open())}
      />
      <ConfirmDialog
        opened={isAsking}
        onClose={close}
        title="Let no agent subscribe?"
        action="End all subscriptions"
        onConfirm={() => switchTo(false)}
        pending={change.isPending}
        error={change.error}
      >
        Every subscription of an agent in {environment.name} ends now. This cannot be undone: the agents must subscribe
        again.
      </ConfirmDialog>
    </>
  );
}

function CreateKey({ onDone }: { onDone: () => void }) {
  const place = usePlace();
  const form = useForm({ initialValues: { name: '', applicationId: '' } });
  const create = useAccessChange(
    agentKeysQuery(place).queryKey,
    ({ name, applicationId }: { name: string; applicationId: string }) =>
      client.POST('/api/workspaces/{workspaceId}/agent-keys', {
        params: { path: { workspaceId: place.workspace.id } },
        body: {
          name,
          environmentId: place.environment.id,
          ...(applicationId === '' ? {} : { applicationId }),
        },
      }),
    {
      isToldElsewhere: true,
      afterClose: (_, { name }) => `The key ${name} was created, but it was not shown. Delete it, and create another.`,
    },
  );
  const key = create.data?.data?.key ?? undefined;
  if (key !== undefined) {
    return (
      <SecretOnce secret={key} what="the agent key" sentence="Give it to the agent alone." onDone={onDone}>
        <SubscribingConfiguration address={addressIn(place)} agentKey={key} />
      </SecretOnce>
    );
  }
  return (
    <Form draft={form} error={create.error} onSubmit={() => create.mutate(form.values)}>
      <Stack gap="md">
        <FormField of="name">
          <TextInput label="Name" description="Such as the agent that uses it." required data-autofocus />
        </FormField>
        <FormField of="applicationId">
          <TextInput
            label="Customer"
            description="Its id, or ext: and your own id. The agent then gets the events of this customer alone."
          />
        </FormField>
        <FormRefusal title="The key was not created" />
        <Button type="submit" size="sm" loading={create.isPending}>
          Create agent key
        </Button>
      </Stack>
    </Form>
  );
}

function DeleteKey({ agentKey, onClose }: { agentKey: AgentKey; onClose: () => void }) {
  const place = usePlace();
  const remove = useAccessChange(
    agentKeysQuery(place).queryKey,
    () =>
      client.DELETE('/api/workspaces/{workspaceId}/agent-keys/{keyId}', {
        params: { path: { workspaceId: place.workspace.id, keyId: agentKey.id } },
      }),
    { onClose, isToldElsewhere: true, alsoReads: AGENT_SUBSCRIPTIONS },
  );
  return (
    <ConfirmContent
      onClose={onClose}
      action="Delete agent key"
      onConfirm={() => remove.mutate(undefined)}
      pending={remove.isPending}
      error={remove.error}
    >
      Everything that was subscribed with {agentKey.name} ends now. This cannot be undone.
    </ConfirmContent>
  );
}

function columnsOfKeys(open: ((opened: Opened) => void) | undefined): Column<AgentKey>[] {
  const columns: Column<AgentKey>[] = [
    { id: 'name', header: 'Name', width: 'minmax(110px, 2fr)', cell: ({ name }) => name },
    { id: 'key', header: 'Key', width: 'minmax(110px, 1fr)', from: 'sm', isMono: true, cell: (key) => key.keyPreview },
    { id: 'state', header: 'State', width: '136px', cell: (key) => <EndingState of={key} active="Active" /> },
    {
      id: 'used',
      header: 'Last used',
      width: '90px',
      from: 'sm',
      cell: ({ lastUsedAt }) => <RelativeTime at={lastUsedAt} />,
    },
  ];
  if (open === undefined) return columns;
  const menu = (key: AgentKey) => (
    <RowMenu of={key.name}>
      <Menu.Item color="red" onClick={() => open({ kind: 'delete', key })}>
        Delete …
      </Menu.Item>
    </RowMenu>
  );
  return [...columns, { id: 'actions', header: '', width: '28px', cell: menu }];
}
