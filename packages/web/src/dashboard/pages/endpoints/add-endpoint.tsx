import { Button, MultiSelect, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { client } from '../../../client/api.ts';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { SideSheet } from '../../../components/side-sheet.tsx';
import { type Place, usePlace } from '../../place.ts';
import { eventTypesQuery } from '../event-types/event-type-queries.ts';
import { endpointsQuery } from './endpoint-queries.ts';

/** A new endpoint of the environment, with its first subscriptions. */
export function AddEndpoint({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <SideSheet opened={opened} onClose={onClose} title="Add endpoint">
      {opened ? <AddEndpointForm onAdded={onClose} /> : null}
    </SideSheet>
  );
}

function AddEndpointForm({ onAdded }: { onAdded: () => void }) {
  const place = usePlace();
  const queryClient = useQueryClient();
  const { data: types } = useQuery({ ...eventTypesQuery(place.workspace.id) });
  const [url, setUrl] = useState('');
  const [description, setDescription] = useState('');
  const [eventTypeIds, setEventTypeIds] = useState<string[]>([]);
  const add = useMutation({
    mutationFn: () => addEndpoint(place, { url, description, eventTypeIds }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: endpointsQuery(place).queryKey }),
    onSuccess: onAdded,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <TextInput
          label="URL"
          description="An https address that answers within 15 seconds."
          placeholder="https://example.com/webhooks"
          required
          data-autofocus
          value={url}
          onChange={({ currentTarget }) => setUrl(currentTarget.value)}
        />
        <TextInput
          label="Description"
          value={description}
          onChange={({ currentTarget }) => setDescription(currentTarget.value)}
        />
        <MultiSelect
          label="Event types"
          description="It gets the events of these types that are published in this environment."
          size="sm"
          searchable
          clearable
          data={(types ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          value={eventTypeIds}
          onChange={setEventTypeIds}
        />
        {add.error ? <ErrorNotice title="The endpoint was not added" error={add.error} /> : null}
        <Text size="xs" c="dimmed">
          Its requests are signed with a secret of its own. The receiver checks the signature as Standard Webhooks
          defines.
        </Text>
        <Button type="submit" size="sm" loading={add.isPending}>
          Add endpoint
        </Button>
      </Stack>
    </form>
  );
}

type NewEndpoint = { url: string; description: string; eventTypeIds: string[] };

async function addEndpoint({ workspace, environment }: Place, { url, description, eventTypeIds }: NewEndpoint) {
  const path = { workspaceId: workspace.id };
  const body = { url, description, environmentId: environment.id };
  const { data } = await client.POST('/api/workspaces/{workspaceId}/endpoints', { params: { path }, body });
  if (data === undefined || eventTypeIds.length === 0) return;
  const params = { path: { ...path, id: data.id } };
  await client.POST('/api/workspaces/{workspaceId}/endpoints/{id}/subscriptions', { params, body: { eventTypeIds } });
}
