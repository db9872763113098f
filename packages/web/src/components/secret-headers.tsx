import { Button, Group, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Endpoint } from '../../../client/resources.ts';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { usePlace } from '../../place.ts';
import { useUpdateEndpoint } from '../endpoints/use-update-endpoint.ts';

/** Headers with secret values, by name. A value can be set, replaced and removed, and is never shown again. */
export function SecretHeaders({ endpoint, isEditor }: { endpoint: Endpoint; isEditor: boolean }) {
  const { workspace } = usePlace();
  const update = useUpdateEndpoint();
  const [name, setName] = useState('');
  const [value, setValue] = useState('');
  const change = (secretHeaders: Record<string, string | null>) =>
    update.mutate(
      { params: { path: { workspaceId: workspace.id, id: endpoint.id } }, body: { secretHeaders } },
      {
        onSuccess: () => {
          setName('');
          setValue('');
        },
      },
    );
  const save = (event: FormEvent) => {
    event.preventDefault();
    change({ [name.trim()]: value });
  };
  return (
    <Stack gap="sm" component="section" aria-label="Secret headers">
      <Title order={2}>Secret headers</Title>
      {endpoint.secretHeaderNames.length === 0 ? (
        <Text size="sm" c="dimmed">
          None. A secret header is sent with every request; its value is stored encrypted and never shown again.
        </Text>
      ) : null}
      {endpoint.secretHeaderNames.map((one) => (
        <Group key={one} gap="sm">
          <span className="mono">{one}</span>
          {isEditor ? (
            <Button variant="subtle" color="red" aria-label={`Remove ${one}`} onClick={() => change({ [one]: null })}>
              Remove
            </Button>
          ) : null}
        </Group>
      ))}
      {isEditor ? (
        <form onSubmit={save}>
          <Group gap="sm" align="flex-end">
            <TextInput
              label="Name"
              placeholder="X-Api-Key"
              required
              value={name}
              onChange={({ currentTarget }) => setName(currentTarget.value)}
            />
            <PasswordInput
              label="Value"
              required
              w={240}
              autoComplete="off"
              value={value}
              onChange={({ currentTarget }) => setValue(currentTarget.value)}
            />
            <Button type="submit" variant="default" size="sm" loading={update.isPending}>
              Set header
            </Button>
          </Group>
        </form>
      ) : null}
      {update.error ? <ErrorNotice title="Nothing was changed" error={update.error} /> : null}
    </Stack>
  );
}
