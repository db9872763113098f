import { Button, Group, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../../client/api.ts';
import type { AgentSettings } from '../../../client/resources.ts';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { Form, FormField, FormRefusal } from '../../../components/form.tsx';
import { useHeldSheet } from '../../../components/hold-sheet.ts';
import { SideSheet } from '../../../components/side-sheet.tsx';
import { usePlace } from '../../place.ts';
import { useAgentSettingsChange } from './use-access-change.ts';

/** The defaults of absent fields. */
const DEFAULTS = { scope: 'events:subscribe', applicationClaim: 'posthorn_application', maxTtlSeconds: 3_600 };

type Issuer = NonNullable<AgentSettings['issuer']>;

/** The issuer of the access tokens that agents may use instead of a key, and whether its keys can be read. */
export function AgentIssuer({ settings, isAdmin }: { settings: AgentSettings; isAdmin: boolean }) {
  const [isOpen, setIsOpen] = useState(false);
  const path = usePath();
  const { issuer } = settings;
  const check = useMutation({
    mutationFn: () =>
      client.POST('/api/workspaces/{workspaceId}/environments/{environmentId}/agents/check-issuer', {
        params: { path },
      }),
  });
  const found = check.data?.data;
  return (
    <Stack gap="xs" align="flex-start">
      <Text size="sm">
        {issuer === null
          ? 'Agents need a key. With an issuer of OAuth 2, people can connect them by a login.'
          : `People can connect agents by a login at ${issuer.issuer}.`}
      </Text>
      {isAdmin ? (
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={() => setIsOpen(true)}>
            {issuer === null ? 'Set issuer' : 'Change issuer'}
          </Button>
          {issuer === null ? null : (
            <Button size="xs" variant="default" loading={check.isPending} onClick={() => check.mutate()}>
              Check issuer
            </Button>
          )}
        </Group>
      ) : null}
      {found === undefined ? null : (
        <Text size="sm" c={found.ok ? undefined : 'red'} role="status">
          {found.message}
        </Text>
      )}
      {check.error ? <ErrorNotice title="The issuer was not checked" error={check.error} /> : null}
      <SideSheet opened={isOpen} onClose={() => setIsOpen(false)} title="Issuer of access tokens">
        {isOpen ? (
          <IssuerForm
            settings={settings}
            onClose={() => {
              check.reset();
              setIsOpen(false);
            }}
          />
        ) : null}
      </SideSheet>
    </Stack>
  );
}

function IssuerForm({ settings, onClose }: { settings: AgentSettings; onClose: () => void }) {
  const present = settings.issuer;
  const form = useForm({
    initialValues: {
      ...(present ?? { issuer: '', ...DEFAULTS }),
      audience: present?.audience ?? '',
      jwksUri: present?.jwksUri ?? '',
    },
  });
  /** What to save once it is confirmed that subscriptions end; undefined while nothing is asked. */
  const [asked, setAsked] = useState<Issuer | null>();
  const close = () => setAsked(undefined);
  useHeldSheet(asked === undefined ? null : 'answer');
  const save = useAgentSettingsChange({ onClose, isToldElsewhere: true });
  const saveIssuer = (issuer: Issuer | null) => save.mutate((now) => ({ ...now, issuer }), { onSettled: close });
  const submit = () => {
    const { audience, jwksUri, ...given } = form.values;
    const issuer = { ...given, audience: audience || null, jwksUri: jwksUri || null };
    if (present === null || present.issuer === issuer.issuer) saveIssuer(issuer);
    else setAsked(issuer);
  };
  return (
    <Form draft={form} error={save.error} onSubmit={submit}>
      <Stack gap="md">
        <FormField of="issuer.issuer" path="issuer">
          <TextInput label="Issuer" description="The iss of its tokens, exactly." required data-autofocus />
        </FormField>
        <FormField of="issuer.applicationClaim" path="applicationClaim">
          <TextInput
            label="Claim of the customer"
            description="It has the customer's id, or your own id of it."
            required
          />
        </FormField>
        <FormField of="issuer.audience" path="audience">
          <TextInput label="Audience" description="Empty: the address at which agents subscribe." />
        </FormField>
        <FormField of="issuer.jwksUri" path="jwksUri">
          <TextInput
            label="Address of its keys"
            description="Empty: where its description says. Another issuer has other keys."
          />
        </FormField>
        <FormField of="issuer.scope" path="scope">
          <TextInput label="Scope" description="Its tokens must have it." required />
        </FormField>
        <FormField of="issuer.maxTtlSeconds" path="maxTtlSeconds">
          <NumberInput
            label="Longest subscription, in seconds"
            description="A login that is withdrawn ends within this time."
            required
            allowDecimal={false}
            min={60}
            max={86_400}
          />
        </FormField>
        <FormRefusal title="The issuer was not saved" />
        <Group gap="xs">
          <Button type="submit" size="sm" loading={save.isPending}>
            Save issuer
          </Button>
          {present === null ? null : (
            <Button size="sm" variant="default" color="red" disabled={save.isPending} onClick={() => setAsked(null)}>
              Remove issuer
            </Button>
          )}
        </Group>
        {present === null ? null : (
          <Text size="xs" c="dimmed">
            Removing it, or another issuer, ends what was subscribed by logins at {present.issuer}.
          </Text>
        )}
      </Stack>
      <ConfirmDialog
        opened={asked !== undefined}
        onClose={close}
        title={asked === null ? 'Remove the issuer?' : 'Replace the issuer?'}
        action={asked === null ? 'End them and remove' : 'End them and replace'}
        // The form shows why nothing was changed.
        onConfirm={() => asked !== undefined && saveIssuer(asked)}
        pending={save.isPending}
        error={null}
      >
        Everything that was subscribed by logins at {present?.issuer} ends now. This cannot be undone.
      </ConfirmDialog>
    </Form>
  );
}

function usePath() {
  const { workspace, environment } = usePlace();
  return { workspaceId: workspace.id, environmentId: environment.id };
}
