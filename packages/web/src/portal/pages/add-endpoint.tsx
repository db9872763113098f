import { Button, MultiSelect, Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../client/api.ts';
import { announceUnsubscribed } from '../../components/announce-change.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { SideSheet } from '../../components/side-sheet.tsx';
import { eventTypesQuery, useReadAgain } from '../portal-queries.ts';
import { go, hrefOf } from '../view.ts';
import { type AddressDraft, AddressFields } from './address-fields.tsx';

/** A new endpoint of the customer, with the types that it subscribes to. */
export function AddEndpoint({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <SideSheet opened={opened} onClose={onClose} title="Add endpoint">
      {opened ? <AddEndpointForm /> : null}
    </SideSheet>
  );
}

type Draft = AddressDraft & { eventTypeIds: string[] };

function AddEndpointForm() {
  const { data: types } = useQuery(eventTypesQuery());
  const readAgain = useReadAgain();
  const [draft, setDraft] = useState<Draft>({ url: '', description: '', eventTypeIds: [] });
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const add = useMutation({
    mutationFn: () => addEndpoint(draft),
    onSettled: readAgain,
    onSuccess: (id) => go(hrefOf('endpoints', id)),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate();
      }}
    >
      <Stack gap="md">
        <AddressFields draft={draft} onChange={change} />
        <MultiSelect
          label="Event types"
          description="It gets the messages of these types."
          size="sm"
          searchable
          clearable
          data={(types ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          value={draft.eventTypeIds}
          onChange={(eventTypeIds) => change({ eventTypeIds })}
        />
        {add.error ? <ErrorNotice title="The endpoint was not added" error={add.error} /> : null}
        <Button type="submit" size="sm" loading={add.isPending}>
          Add endpoint
        </Button>
      </Stack>
    </form>
  );
}

async function addEndpoint({ url, description, eventTypeIds }: Draft): Promise<string> {
  const { data } = await client.POST('/api/portal/endpoints', { body: { url, description } });
  const id = data?.id ?? '';
  if (eventTypeIds.length > 0) {
    const params = { path: { id } };
    const subscribe = client.POST('/api/portal/endpoints/{id}/subscriptions', { params, body: { eventTypeIds } });
    await subscribe.catch(announceUnsubscribed);
  }
  return id;
}
