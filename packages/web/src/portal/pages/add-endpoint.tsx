import { Button, MultiSelect, SegmentedControl, Select, Stack, Text, TextInput, useMatches } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../client/api.ts';
import type { EndpointType } from '../../client/resources.ts';
import { announceUnsubscribed } from '../../components/announce-change.tsx';
import {
  type DestinationDraft,
  destinationBody,
  hasDestination,
  NewDestination,
  newDestination,
} from '../../components/destination/new-destination.tsx';
import { Form, FormField, FormRefusal } from '../../components/form.tsx';
import { useHeldSheet } from '../../components/hold-sheet.ts';
import { FETCHED } from '../../components/pull/fetched.ts';
import { KEEP_KEY } from '../../components/pull/pull-panel.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { SideSheet } from '../../components/side-sheet.tsx';
import { t } from '../../language/language.ts';
import { endpointTypesQuery, eventTypesQuery, useReadAgain } from '../portal-queries.ts';
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

type Draft = AddressDraft & { type?: string; eventTypeIds: string[]; destination?: DestinationDraft | undefined };

function AddEndpointForm() {
  const { data: types } = useQuery(eventTypesQuery());
  const { data: kinds = [] } = useQuery(endpointTypesQuery());
  const readAgain = useReadAgain();
  const [draft, setDraft] = useState<Draft>({ url: '', description: '', eventTypeIds: [] });
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const kind = kinds.find(({ type }) => type === draft.type) ?? kinds[0];
  const add = useMutation({
    mutationFn: () => addEndpoint(draft, kind),
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
    <Form error={add.error} onSubmit={add.mutate}>
      <Stack gap="md">
        <Receiver kinds={kinds} kind={kind} draft={draft} onChange={change} />
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
        <FormRefusal title={t('The endpoint was not added')} />
        <Button type="submit" size="sm" loading={add.isPending}>
          {t('Add endpoint')}
        </Button>
      </Stack>
    </Form>
  );
}

type ReceiverProps = {
  kinds: readonly EndpointType[];
  kind: EndpointType | undefined;
  draft: Draft;
  onChange: (part: Partial<Draft>) => void;
};

/** More choices do not fit beside one another. */
const MOST_BESIDE = 2;

/** The words of customers for the two kinds that most of them have. */
function wordsOf({ type, label, hasUrl }: EndpointType): string {
  if (hasUrl) return t('Sent to your server');
  return type === FETCHED ? t('Fetched by a program') : label;
}

/** How the endpoint gets messages, and what that asks for. */
function Receiver(props: ReceiverProps) {
  const { kinds, kind, onChange } = props;
  const choose = (type: string | null) => type && onChange({ type, destination: undefined });
  const data = kinds.map((one) => ({ value: one.type, label: wordsOf(one) }));
  const value = kind?.type ?? '';
  const label = t('How it gets messages');
  // Two such choices are wider than a phone.
  const orientation = useMatches({ base: 'vertical', xs: 'horizontal' } as const);
  return (
    <>
      {data.length > MOST_BESIDE ? (
        <Select label={label} size="sm" allowDeselect={false} value={value} onChange={choose} data={data} />
      ) : (
        <SegmentedControl
          aria-label={label}
          fullWidth
          orientation={orientation}
          value={value}
          onChange={choose}
          data={data}
        />
      )}
      <Address {...props} />
    </>
  );
}

/** An address, a destination, or neither for programs that no other machine can reach. */
function Address({ kind, draft, onChange }: ReceiverProps) {
  if (kind === undefined || kind.hasUrl) return <AddressFields draft={draft} onChange={onChange} />;
  return (
    <>
      {hasDestination(kind) ? (
        <NewDestination
          kind={kind}
          draft={draft.destination ?? newDestination(kind)}
          onChange={(destination) => onChange({ destination })}
        />
      ) : (
        <Text size="sm" c="dimmed">
          {kind.type === FETCHED ? FETCHED_WORDS : kind.description}
        </Text>
      )}
      <FormField of="description">
        <TextInput
          label={t('Description')}
          value={draft.description}
          onChange={({ currentTarget }) => onChange({ description: currentTarget.value })}
        />
      </FormField>
    </>
  );
}

const FETCHED_WORDS = t(
  'Your program fetches the messages with a key, which is shown once. It needs no public address.',
);

/** What the type of the endpoint asks for. */
function receiverBody({ url, destination }: Draft, kind: EndpointType | undefined) {
  if (kind === undefined || kind.hasUrl) return { url };
  const { type } = kind;
  return hasDestination(kind) ? { type, ...destinationBody(kind, destination ?? newDestination(kind)) } : { type };
}

/** The new endpoint, and its first pull key where it is fetched. */
async function addEndpoint(draft: Draft, kind: EndpointType | undefined) {
  const { description, eventTypeIds } = draft;
  const { data } = await client.POST('/api/portal/endpoints', { body: { description, ...receiverBody(draft, kind) } });
  const id = data?.id ?? '';
  if (eventTypeIds.length > 0) {
    const params = { path: { id } };
    const subscribe = client.POST('/api/portal/endpoints/{id}/subscriptions', { params, body: { eventTypeIds } });
    await subscribe.catch(announceUnsubscribed);
  }
  return { id, pullKey: data?.pullKey ?? null };
}
