import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../../client/api.ts';
import { readAgain } from '../../../client/by-pages.ts';
import type { EventType } from '../../../client/resources.ts';
import type { Choices } from '../../../components/choices.ts';
import { EventTypeSelect } from '../../../components/event-type-select.tsx';
import { Form, FormField, FormRefusal } from '../../../components/form.tsx';
import { useHeldSheet } from '../../../components/hold-sheet.ts';
import { JsonField } from '../../../components/json-field.tsx';
import { prettyJson } from '../../../components/pretty-json.ts';
import { exampleText } from '../../../components/sample/example-text.ts';
import { SearchSelect } from '../../../components/search-select.tsx';
import { SideSheet } from '../../../components/side-sheet.tsx';
import { usePlace } from '../../place.ts';
import { useCustomerChoices } from '../customers/use-customer-choices.ts';
import { eventTypesQuery } from '../event-types/event-type-queries.ts';
import { EVENT_LISTS } from './event-queries.ts';
import { useOpenEvent } from './use-open-event.ts';

type SendEventProps = {
  opened: boolean;
  onClose: () => void;
  /** The customer that is preselected. */
  applicationId?: string;
};

/**
 * Sends an event as a producer would, with its type's example or a typed payload. Afterwards it opens the event's
 * trace.
 */
export function SendEvent({ opened, onClose, applicationId }: SendEventProps) {
  return (
    <SideSheet opened={opened} onClose={onClose} title="Send event">
      {opened ? <SendForm customer={applicationId ?? null} /> : null}
    </SideSheet>
  );
}

function SendForm({ customer }: { customer: string | null }) {
  const { workspace, environment } = usePlace();
  const { data: types = [] } = useQuery(eventTypesQuery(workspace.id));
  const [typeId, setTypeId] = useState<string | null>(null);
  const [applicationId, setApplicationId] = useState(customer);
  const customers = useCustomerChoices(applicationId === ALL_CUSTOMERS ? undefined : (applicationId ?? undefined));
  const [key, setKey] = useState('');
  const [typed, setTyped] = useState<string | null>(null);
  const type = types.find(({ id }) => id === typeId) ?? types[0];
  const text = typed ?? exampleText(type);
  const send = useSend(type);
  useHeldSheet(send.isPending ? 'answer' : null);
  const submit = () => send.mutate({ text, applicationId, key: key.trim() });
  return (
    <Form error={send.error} onSubmit={submit}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          It is accepted, matched and delivered in {environment.name} like every other event.
        </Text>
        <EventTypeSelect
          types={types}
          typeId={type?.id}
          placeholder="Create an event type first"
          onChooseType={(id) => {
            setTypeId(id);
            setTyped(null);
          }}
        />
        <FormField of="applicationId">
          <SearchSelect
            label="Customer"
            description="Only the endpoints of this customer get the event."
            placeholder={environment.requireApplication ? 'Choose a customer' : 'None: every subscribed endpoint'}
            required={environment.requireApplication}
            size="sm"
            clearable
            choices={withAll(customers.choices)}
            value={applicationId}
            onChange={setApplicationId}
          />
        </FormField>
        <FormField of="data">
          <JsonField label="Payload" text={text} onChange={setTyped} maxRows={20} />
        </FormField>
        <FormField of="idempotencyKey">
          <TextInput
            label="Idempotency key"
            description="An event with the key of an earlier one is not accepted again."
            value={key}
            onChange={({ currentTarget }) => setKey(currentTarget.value)}
          />
        </FormField>
        <FormRefusal title="The event was not sent" />
        <Button
          type="submit"
          size="sm"
          loading={send.isPending}
          disabled={type === undefined || prettyJson(text) === undefined}
        >
          Send event
        </Button>
      </Stack>
    </Form>
  );
}

/** `X-Application-Id: *` (docs/interface.md, Application of an event). */
const ALL_CUSTOMERS = '*';

function withAll(choices: Choices): Choices {
  return { ...choices, options: [{ value: ALL_CUSTOMERS, label: 'All customers' }, ...choices.options] };
}

type Sent = { text: string; applicationId: string | null; key: string };

function useSend(type: EventType | undefined) {
  const { workspace, environment } = usePlace();
  const queryClient = useQueryClient();
  const { onOpen } = useOpenEvent();
  return useMutation({
    mutationFn: async ({ text, applicationId, key }: Sent) => {
      const fields = {
        ...{ environmentId: environment.id, eventType: type?.name ?? '' },
        ...(applicationId !== null && { applicationId }),
        ...(key !== '' && { idempotencyKey: key }),
      };
      const { data } = await client.POST('/api/workspaces/{workspaceId}/events', {
        params: { path: { workspaceId: workspace.id } },
        body: { ...fields, data: null },
        // The payload exactly as typed: numbers and repeated keys stay the same.
        bodySerializer: () => `${JSON.stringify(fields).slice(0, -1)},"data":${text}}`,
      });
      if (data === undefined) throw new Error('The answer is empty');
      return data;
    },
    onSuccess: ({ id }) => {
      void readAgain(queryClient, EVENT_LISTS);
      onOpen({ id });
    },
  });
}
