import { Button, MultiSelect, Select, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../../client/api.ts';
import type { EndpointType } from '../../../client/resources.ts';
import { announceUnsubscribed } from '../../../components/announce-change.tsx';
import {
  type DestinationDraft,
  destinationBody,
  hasDestination,
  NewDestination,
  newDestination,
} from '../../../components/destination/new-destination.tsx';
import { Form, FormField, FormRefusal } from '../../../components/form.tsx';
import { useHeldSheet } from '../../../components/hold-sheet.ts';
import { KEEP_KEY } from '../../../components/pull/pull-panel.tsx';
import { SearchSelect } from '../../../components/search-select.tsx';
import { SecretOnce } from '../../../components/secret-once.tsx';
import { SideSheet } from '../../../components/side-sheet.tsx';
import { type Place, usePlace } from '../../place.ts';
import { CUSTOMER_ENDPOINTS } from '../customers/customer-queries.ts';
import { useCustomerChoices } from '../customers/use-customer-choices.ts';
import { eventTypesQuery } from '../event-types/event-type-queries.ts';
import { ENDPOINT_STATS, endpointsQuery, endpointTypesQuery } from './endpoint-queries.ts';

type Props = {
  opened: boolean;
  onClose: () => void;
  onAdded: (id: string) => void;
  /** Whose it is; undefined for no customer. */
  applicationId?: string;
};

/** A new endpoint of the environment, with its first subscriptions. */
export function AddEndpoint({ opened, onClose, ...rest }: Props) {
  return (
    <SideSheet opened={opened} onClose={onClose} title="Add endpoint">
      {opened ? <AddEndpointForm {...rest} /> : null}
    </SideSheet>
  );
}

function AddEndpointForm({ onAdded, applicationId: given }: Pick<Props, 'onAdded' | 'applicationId'>) {
  const place = usePlace();
  const [chosen, setChosen] = useState<string | null>(null);
  const applicationId = given ?? chosen ?? undefined;
  const queryClient = useQueryClient();
  const { data: types } = useQuery(eventTypesQuery(place.workspace.id));
  const { data: kinds = [] } = useQuery(endpointTypesQuery(place.workspace.id));
  const [draft, setDraft] = useState<NewEndpoint>({ url: '', description: '', eventTypeIds: [] });
  const change = (part: Partial<NewEndpoint>) => setDraft((before) => ({ ...before, ...part }));
  const kind = kinds.find(({ type }) => type === draft.type) ?? kinds[0];
  const add = useMutation({
    mutationFn: () => addEndpoint(place, { applicationId, kind, draft }),
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: endpointsQuery(place).queryKey }),
        queryClient.invalidateQueries({ queryKey: CUSTOMER_ENDPOINTS }),
        queryClient.invalidateQueries({ queryKey: ENDPOINT_STATS }),
      ]),
    onSuccess: ({ id, pullKey }) => {
      if (pullKey === null) onAdded(id);
    },
  });
  useHeldSheet(add.isPending ? 'answer' : null);
  if (add.data?.pullKey) {
    const { id, pullKey } = add.data;
    return <SecretOnce secret={pullKey} what="the pull key" sentence={KEEP_KEY} onDone={() => onAdded(id)} />;
  }
  return (
    <Form error={add.error} onSubmit={add.mutate}>
      <Stack gap="md">
        {given === undefined && place.workspace.plan !== 'free' ? (
          <Customer value={chosen} onChange={setChosen} />
        ) : null}
        <Receiver kinds={kinds} kind={kind} draft={draft} onChange={change} />
        <FormField of="description">
          <TextInput
            label="Description"
            value={draft.description}
            onChange={({ currentTarget }) => change({ description: currentTarget.value })}
          />
        </FormField>
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
        <FormRefusal title="The endpoint was not added" />
        <Text size="xs" c="dimmed">
          Its requests are signed with a secret of its own. The receiver checks the signature as Standard Webhooks
          defines.
        </Text>
        <Button type="submit" size="sm" loading={add.isPending}>
          Add endpoint
        </Button>
      </Stack>
    </Form>
  );
}

function Customer({ value, onChange }: { value: string | null; onChange: (id: string | null) => void }) {
  const { choices } = useCustomerChoices(value ?? undefined);
  return (
    <FormField of="applicationId">
      <SearchSelect
        label="Customer"
        description="It gets the events of this customer, and the customer sees it in the portal."
        placeholder="None: an endpoint of your own"
        size="sm"
        clearable
        choices={choices}
        value={value}
        onChange={onChange}
      />
    </FormField>
  );
}

type ReceiverProps = {
  kinds: readonly EndpointType[];
  kind: EndpointType | undefined;
  draft: NewEndpoint;
  onChange: (part: Partial<NewEndpoint>) => void;
};

/** The type, and what says where its messages go. */
function Receiver(props: ReceiverProps) {
  const { kinds, kind, onChange } = props;
  const choose = (value: string | null) => {
    const type = kinds.find((one) => one.type === value)?.type;
    onChange({ ...(type && { type }), destination: undefined });
  };
  return (
    <>
      <Select
        label="Type"
        size="sm"
        allowDeselect={false}
        value={kind?.type ?? null}
        onChange={choose}
        data={kinds.map(({ type, label }) => ({ value: type, label }))}
      />
      <Address {...props} />
    </>
  );
}

function Address({ kind, draft, onChange }: ReceiverProps) {
  if (kind !== undefined && hasDestination(kind)) {
    return (
      <NewDestination
        kind={kind}
        draft={draft.destination ?? newDestination(kind)}
        onChange={(destination) => onChange({ destination })}
      />
    );
  }
  if (kind?.hasUrl === false) {
    return (
      <Text size="sm" c="dimmed">
        {kind.description}
      </Text>
    );
  }
  return (
    <FormField of="url">
      <TextInput
        label="URL"
        description="An https address that answers quickly."
        placeholder="https://example.com/webhooks"
        required
        data-autofocus
        value={draft.url}
        onChange={({ currentTarget }) => onChange({ url: currentTarget.value })}
      />
    </FormField>
  );
}

type NewEndpoint = {
  type?: EndpointType['type'];
  url: string;
  description: string;
  eventTypeIds: string[];
  destination?: DestinationDraft | undefined;
};

type Adding = { applicationId: string | undefined; kind: EndpointType | undefined; draft: NewEndpoint };

/** What the type of the endpoint asks for. */
function receiverBody({ kind, draft: { url, destination } }: Adding) {
  if (kind !== undefined && hasDestination(kind)) return destinationBody(kind, destination ?? newDestination(kind));
  return kind?.hasUrl === false ? {} : { url };
}

/** The new endpoint, and its first pull key where it is of a type that has one. */
async function addEndpoint({ workspace, environment }: Place, adding: Adding) {
  const { applicationId, kind } = adding;
  const { description, eventTypeIds } = adding.draft;
  const path = { workspaceId: workspace.id };
  const type = kind && { type: kind.type };
  const owner = applicationId === undefined ? {} : { applicationId };
  const body = { ...type, ...owner, description, environmentId: environment.id, ...receiverBody(adding) };
  const { data } = await client.POST('/api/workspaces/{workspaceId}/endpoints', { params: { path }, body });
  const id = data?.id ?? '';
  const added = { id, pullKey: data?.pullKey ?? null };
  if (eventTypeIds.length === 0) return added;
  const params = { path: { ...path, id } };
  const subscriptionsPath = '/api/workspaces/{workspaceId}/endpoints/{id}/subscriptions';
  await client.POST(subscriptionsPath, { params, body: { eventTypeIds } }).catch(announceUnsubscribed);
  return added;
}
