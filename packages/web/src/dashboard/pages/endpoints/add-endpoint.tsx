import { Button, MultiSelect, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../../client/api.ts';
import { announceUnsubscribed } from '../../../components/announce-change.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { SideSheet } from '../../../components/side-sheet.tsx';
import { onSubmit } from '../../../components/submit.ts';
import { type Place, usePlace } from '../../place.ts';
import { eventTypesQuery } from '../event-types/event-type-queries.ts';
import { endpointsQuery } from './endpoint-queries.ts';

type Props = { opened: boolean; onClose: () => void; onAdded: (id: string) => void };

/** A new endpoint of the environment, with its first subscriptions. */
export function AddEndpoint({ opened, onClose, onAdded }: Props) {
  return (
    <SideSheet opened={opened} onClose={onClose} title="Add endpoint">
      {opened ? <AddEndpointForm onAdded={onAdded} /> : null}
    </SideSheet>
  );
}

function AddEndpointForm({ onAdded }: Pick<Props, 'onAdded'>) {
  const place = usePlace();
  const queryClient = useQueryClient();
  const { data: types } = useQuery(eventTypesQuery(place.workspace.id));
  const [draft, setDraft] = useState<NewEndpoint>({ type: 'webhook', url: '', description: '', eventTypeIds: [] });
  const change = (part: Partial<NewEndpoint>) => setDraft((before) => ({ ...before, ...part }));
  const add = useMutation({
    mutationFn: () => addEndpoint(place, draft),
    onSettled: () => queryClient.invalidateQueries({ queryKey: endpointsQuery(place).queryKey }),
    onSuccess: onAdded,
  });
  return (
    <form onSubmit={onSubmit(add.mutate)}>
      <Stack gap="md">
        <TypeAndUrl draft={draft} onChange={change} />
        <TextInput
          label="Description"
          value={draft.description}
          onChange={({ currentTarget }) => change({ description: currentTarget.value })}
        />
        <MultiSelect
          label="Event types"
          description="It gets the events of these types that are published in this environment."
          size="sm"
          searchable
          clearable
          data={(types ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          value={draft.eventTypeIds}
          onChange={(eventTypeIds) => change({ eventTypeIds })}
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

function TypeAndUrl({ draft, onChange }: { draft: NewEndpoint; onChange: (part: Partial<NewEndpoint>) => void }) {
  return (
    <>
      <SegmentedControl
        aria-label="Type"
        value={draft.type}
        onChange={(type) => onChange({ type: type === 'playground' ? 'playground' : 'webhook' })}
        data={[
          { value: 'webhook', label: 'Webhook' },
          { value: 'playground', label: 'Playground' },
        ]}
      />
      {draft.type === 'playground' ? (
        <Text size="sm" c="dimmed">
          A playground needs no server. Posthorn answers in its place, and shows each request in an inbox.
        </Text>
      ) : (
        <TextInput
          label="URL"
          description="An https address that answers quickly."
          placeholder="https://example.com/webhooks"
          required
          data-autofocus
          value={draft.url}
          onChange={({ currentTarget }) => onChange({ url: currentTarget.value })}
        />
      )}
    </>
  );
}

type NewEndpoint = { type: 'webhook' | 'playground'; url: string; description: string; eventTypeIds: string[] };

/** The id of the new endpoint. */
async function addEndpoint({ workspace, environment }: Place, draft: NewEndpoint): Promise<string> {
  const { type, url, description, eventTypeIds } = draft;
  const path = { workspaceId: workspace.id };
  const body = { type, description, environmentId: environment.id, ...(type === 'webhook' && { url }) };
  const { data } = await client.POST('/api/workspaces/{workspaceId}/endpoints', { params: { path }, body });
  const id = data?.id ?? '';
  if (eventTypeIds.length === 0) return id;
  const params = { path: { ...path, id } };
  const subscriptionsPath = '/api/workspaces/{workspaceId}/endpoints/{id}/subscriptions';
  await client.POST(subscriptionsPath, { params, body: { eventTypeIds } }).catch(announceUnsubscribed);
  return id;
}
