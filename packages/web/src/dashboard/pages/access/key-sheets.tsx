import { Button, Select, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { client } from '../../../client/api.ts';
import type { ApiKey } from '../../../client/resources.ts';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { Form, FormField, FormRefusal } from '../../../components/form.tsx';
import { SecretOnce } from '../../../components/secret-once.tsx';
import { SideSheet } from '../../../components/side-sheet.tsx';
import { usePlace } from '../../place.ts';
import { apiKeysQuery } from './access-queries.ts';
import { useAccessChange } from './use-access-change.ts';

const SENTENCE = 'Keep it where the sender reads its secrets.';

/** Creates an API key, and shows it once. */
export function CreateKeySheet({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <SideSheet opened={opened} onClose={onClose} title="Create API key">
      {opened ? <CreateKey onDone={onClose} /> : null}
    </SideSheet>
  );
}

function CreateKey({ onDone }: { onDone: () => void }) {
  const place = usePlace();
  const form = useForm({ initialValues: { name: '' } });
  const path = { workspaceId: place.workspace.id, environmentId: place.environment.id };
  const create = useAccessChange(
    apiKeysQuery(place).queryKey,
    (body: { name: string }) =>
      client.POST('/api/workspaces/{workspaceId}/environments/{environmentId}/api-keys', { params: { path }, body }),
    { isToldElsewhere: true, afterClose: (_, sent) => keyNotShown(sent.name) },
  );
  const key = create.data?.data?.key ?? undefined;
  if (key !== undefined) return <SecretOnce secret={key} what="the API key" sentence={SENTENCE} onDone={onDone} />;
  return (
    <Form draft={form} error={create.error} onSubmit={() => create.mutate(form.values)}>
      <Stack gap="md">
        <FormField of="name">
          <TextInput label="Name" description="Such as the service that uses it." required data-autofocus />
        </FormField>
        <FormRefusal title="The key was not created" />
        <Button type="submit" size="sm" loading={create.isPending}>
          Create API key
        </Button>
      </Stack>
    </Form>
  );
}

/** Advice about a new key that nobody has seen. */
export function keyNotShown(name: string): string {
  return `The key ${name} was created, but its secret was not shown. Rotate the key to get another one.`;
}

/** Replaces a key by a new one. The old key works for a while longer. */
export function RotateKeySheet({ apiKey, onClose }: { apiKey: ApiKey | null; onClose: () => void }) {
  return (
    <SideSheet opened={apiKey !== null} onClose={onClose} title={`Rotate ${apiKey?.name ?? ''}`}>
      {apiKey === null ? null : <RotateKey apiKey={apiKey} onDone={onClose} />}
    </SideSheet>
  );
}

function RotateKey({ apiKey, onDone }: { apiKey: ApiKey; onDone: () => void }) {
  const place = usePlace();
  const [graceSeconds, setGraceSeconds] = useState('86400');
  const path = { workspaceId: place.workspace.id, environmentId: place.environment.id, id: apiKey.id };
  const rotate = useAccessChange(
    apiKeysQuery(place).queryKey,
    () =>
      client.POST('/api/workspaces/{workspaceId}/environments/{environmentId}/api-keys/{id}/rotate', {
        params: { path },
        body: { gracePeriodSeconds: Number(graceSeconds) },
      }),
    {
      isToldElsewhere: true,
      afterClose: () => `The key ${apiKey.name} was rotated, but the new key was not shown. Rotate the new key.`,
    },
  );
  const key = rotate.data?.data?.key ?? undefined;
  if (key !== undefined) return <SecretOnce secret={key} what="the new API key" sentence={SENTENCE} onDone={onDone} />;
  return (
    <Stack gap="md">
      <Text size="sm">
        A new key is made. The present one, <span className="mono">{apiKey.keyPreview}</span>, works until the time
        below has passed.
      </Text>
      <Select
        label="The current key still works for"
        size="sm"
        allowDeselect={false}
        data={GRACES}
        value={graceSeconds}
        onChange={(value) => setGraceSeconds(value ?? '86400')}
      />
      {rotate.error ? <ErrorNotice title="The key was not rotated" error={rotate.error} /> : null}
      <Button size="sm" onClick={() => rotate.mutate(undefined)} loading={rotate.isPending}>
        Rotate key
      </Button>
    </Stack>
  );
}

const GRACES = [
  { value: '0', label: 'no longer' },
  { value: '3600', label: '1 hour' },
  { value: '86400', label: '24 hours' },
  { value: '604800', label: '7 days' },
];
