import { Alert, Button, Checkbox, List, Select, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { client } from '../../../client/api.ts';
import type { Scope } from '../../../client/resources.ts';
import { nowMs } from '../../../clock.ts';
import { AgentConfiguration } from '../../../components/agent-configuration.tsx';
import { Form, FormField, FormRefusal } from '../../../components/form.tsx';
import { useHeldSheet } from '../../../components/hold-sheet.ts';
import { InstallCommandLine } from '../../../components/install.tsx';
import { SideSheet } from '../../../components/side-sheet.tsx';
import { usePlace } from '../../place.ts';
import { mayAdminister } from '../../role.ts';
import { tokensQuery } from './access-queries.ts';
import { AgentAccess } from './agent-access.tsx';
import { useAccessChange } from './use-access-change.ts';

/** How an agent reaches this workspace: the address, a temporary token, and what the agent can see. */
export function Agents() {
  const place = usePlace();
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <Stack gap="md" maw={720}>
      <Text size="sm">
        A language model can ask why an event was not delivered, what a receiver answered, and which endpoints fail. It
        speaks the Model Context Protocol with{' '}
        <Text span className="mono" size="sm">
          {window.location.origin}/mcp
        </Text>
        , and has the rights of its token.
      </Text>
      <List size="sm" spacing={4}>
        <List.Item>It reads only. It changes something when the token and the configuration allow it.</List.Item>
        <List.Item>It sees payloads when the token has the scope payloads. Each view is in the audit log.</List.Item>
        <List.Item>What users, payloads and receivers wrote is marked as untrusted in every answer.</List.Item>
        <List.Item>To end its access, delete its token under Management tokens.</List.Item>
      </List>
      {mayAdminister(place) ? (
        <Button size="sm" w="fit-content" onClick={() => setOpen(true)}>
          Connect an agent
        </Button>
      ) : (
        <Text size="sm" c="dimmed">
          An admin creates the token of an agent.
        </Text>
      )}
      <SideSheet opened={isOpen} onClose={close} title="Connect an agent">
        {isOpen ? <ConnectAgent onDone={close} /> : null}
      </SideSheet>
      <AgentAccess />
    </Stack>
  );
}

const LIVES = { '1': '1 day', '7': '7 days', '30': '30 days', '90': '90 days' } as const;
const DAY_MS = 86_400_000;

type NewToken = { name: string; scopes: Scope[]; environmentIds: string[] | null; expiresAt: string };

function ConnectAgent({ onDone }: { onDone: () => void }) {
  const place = usePlace();
  const form = useForm({ initialValues: { days: '7', isHereOnly: true, seesPayloads: false, mayChange: false } });
  const { days, isHereOnly, seesPayloads, mayChange } = form.values;
  const params = { path: { workspaceId: place.workspace.id } };
  const create = useAccessChange(
    tokensQuery(place).queryKey,
    (body: NewToken) => client.POST('/api/workspaces/{workspaceId}/management-tokens', { params, body }),
    {
      isToldElsewhere: true,
      afterClose: () => 'The token of the agent was created, but it was not shown. Delete it, and create another one.',
    },
  );
  const token = create.data?.data?.token ?? undefined;
  if (token !== undefined) return <Connected token={token} allowChanges={mayChange} onDone={onDone} />;
  const submit = () =>
    create.mutate({
      name: 'Agent',
      scopes: ['read', ...(seesPayloads ? ['payloads' as const] : []), ...(mayChange ? ['write' as const] : [])],
      environmentIds: isHereOnly ? [place.environment.id] : null,
      expiresAt: new Date(nowMs() + Number(days) * DAY_MS).toISOString(),
    });
  return (
    <Form draft={form} error={create.error} onSubmit={submit}>
      <Stack gap="md">
        <FormField of="days">
          <Select
            label="Works for"
            allowDeselect={false}
            data={Object.entries(LIVES).map(([value, label]) => ({ value, label }))}
          />
        </FormField>
        <Choice of="isHereOnly" label={`Only ${place.environment.name}`}>
          It sees what belongs to this environment alone.
        </Choice>
        <Choice of="seesPayloads" label="Read payloads">
          Payloads go to the model, and to the company that runs it.
        </Choice>
        <Choice of="mayChange" label="Allow changes">
          It may retry, recover, test and activate endpoints. The token also allows every other change of the scope
          write.
        </Choice>
        <FormRefusal title="The token was not created" />
        <Button type="submit" size="sm" loading={create.isPending}>
          Create token
        </Button>
      </Stack>
    </Form>
  );
}

function Choice({ of, label, children }: { of: string; label: string; children: string }) {
  return (
    <FormField of={of} type="checkbox">
      <Checkbox size="xs" label={label} description={children} />
    </FormField>
  );
}

/** Shows the token once, as part of the configurations. */
function Connected({ token, allowChanges, onDone }: { token: string; allowChanges: boolean; onDone: () => void }) {
  useHeldSheet('secret');
  return (
    <Stack gap="md">
      <Alert color="yellow" title="Copy the configuration now">
        <Text size="sm">It has the token, which is not shown again.</Text>
      </Alert>
      <AgentConfiguration token={token} allowChanges={allowChanges} name="posthorn" program={programOf(allowChanges)} />
      <InstallCommandLine />
      <Button size="sm" onClick={onDone}>
        I have copied it
      </Button>
    </Stack>
  );
}

/** The command line as a program that relays an agent's messages. */
function programOf(allowChanges: boolean) {
  return {
    command: 'posthorn',
    args: ['mcp', ...(allowChanges ? ['--allow-changes'] : [])],
    env: (origin: string, token: string) => ({ POSTHORN_BASE_URL: origin, POSTHORN_TOKEN: token }),
  };
}
