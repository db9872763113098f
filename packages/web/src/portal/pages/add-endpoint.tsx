import { Button, MultiSelect, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../client/api.ts';
import { announceUnsubscribed } from '../../components/announce-change.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { useHeldSheet } from '../../components/hold-sheet.ts';
import { FETCHED } from '../../components/pull/fetched.ts';
import { KEEP_KEY } from '../../components/pull/pull-panel.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { SideSheet } from '../../components/side-sheet.tsx';
import { t } from '../../language/language.ts';
import { eventTypesQuery, useReadAgain } from '../portal-queries.ts';
import { go, hrefOf } from '../view.ts';
import { type AddressDraft, AddressFields } from './address-fields.tsx';

/** A new endpoint of the customer, with the types that it subscribes to. */
export function AddEndpoint({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <SideSheet opened={opened} onClose={onClose} title={t('Add endpoint')}>
      {opened ? <AddEndpointForm /> : null}
    </SideSheet>
  );
}

type Draft = AddressDraft & { isFetched: boolean; eventTypeIds: string[] };

function AddEndpointForm() {
  const { data: types } = useQuery(eventTypesQuery());
  const readAgain = useReadAgain();
  const [draft, setDraft] = useState<Draft>({ isFetched: false, url: '', description: '', eventTypeIds: [] });
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const add = useMutation({
    mutationFn: () => addEndpoint(draft),
    onSettled: readAgain,
    onSuccess: ({ id, pullKey }) => {
      if (pullKey === null) go(hrefOf('endpoints', id));
    },
  });
  useHeldSheet(add.isPending ? 'answer' : null);
  if (add.data?.pullKey) {
    const { id, pullKey } = add.data;
    const done = () => go(hrefOf('endpoints', id, 'fetching'));
    return <SecretOnce secret={pullKey} what={t('the pull key')} sentence={KEEP_KEY} onDone={done} />;
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate();
      }}
    >
      <Stack gap="md">
        <Receiver draft={draft} onChange={change} />
        <MultiSelect
          label={t('Event types')}
          description={t('It gets the messages of these types.')}
          size="sm"
          searchable
          clearable
          data={(types ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          value={draft.eventTypeIds}
          onChange={(eventTypeIds) => change({ eventTypeIds })}
        />
        {add.error ? <ErrorNotice title={t('The endpoint was not added')} error={add.error} /> : null}
        <Button type="submit" size="sm" loading={add.isPending}>
          {t('Add endpoint')}
        </Button>
      </Stack>
    </form>
  );
}

/** An address, or none for programs that no other machine can reach. */
function Receiver({ draft, onChange }: { draft: Draft; onChange: (part: Partial<Draft>) => void }) {
  return (
    <>
      <SegmentedControl
        aria-label={t('How it gets messages')}
        value={draft.isFetched ? 'fetched' : 'sent'}
        onChange={(value) => onChange({ isFetched: value === 'fetched' })}
        data={[
          { value: 'sent', label: t('Sent to your server') },
          { value: 'fetched', label: t('Fetched by a program') },
        ]}
      />
      {draft.isFetched ? (
        <>
          <Text size="sm" c="dimmed">
            {t('Your program fetches the messages with a key, which is shown once. It needs no public address.')}
          </Text>
          <TextInput
            label={t('Description')}
            value={draft.description}
            onChange={({ currentTarget }) => onChange({ description: currentTarget.value })}
          />
        </>
      ) : (
        <AddressFields draft={draft} onChange={onChange} />
      )}
    </>
  );
}

/** The new endpoint, and its first pull key where it is fetched. */
async function addEndpoint({ isFetched, url, description, eventTypeIds }: Draft) {
  const body = isFetched ? { type: FETCHED, description } : { url, description };
  const { data } = await client.POST('/api/portal/endpoints', { body });
  const id = data?.id ?? '';
  if (eventTypeIds.length > 0) {
    const params = { path: { id } };
    const subscribe = client.POST('/api/portal/endpoints/{id}/subscriptions', { params, body: { eventTypeIds } });
    await subscribe.catch(announceUnsubscribed);
  }
  return { id, pullKey: data?.pullKey ?? null };
}
