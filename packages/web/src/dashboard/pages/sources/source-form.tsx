import { Button, Group, Select, Stack, Switch, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { client } from '../../../client/api.ts';
import type { CreateSourceBody, Source } from '../../../client/resources.ts';
import { SchemaForm } from '../../../components/destination/schema-form.tsx';
import { Form, FormField, FormRefusal } from '../../../components/form.tsx';
import { useHeldSheet } from '../../../components/hold-sheet.ts';
import { usePlace } from '../../place.ts';
import {
  CREDENTIALS,
  PLACE,
  RECORDS,
  rebasedSource,
  type SourceDraft,
  sourceBody,
  sourceDraft,
} from './source-draft.ts';
import { sourcesQuery } from './source-queries.ts';

type Props = {
  /** The source to edit; undefined for a new one. */
  source: Source | undefined;
  onDone: (source: Source) => void;
};

/** Creates or changes a source. It starts to read within seconds. */
export function SourceForm({ source, onDone }: Props) {
  const form = useForm<SourceDraft>({ initialValues: sourceDraft(source) });
  const save = useSave(source, form.getInitialValues(), onDone);
  useHeldSheet(save.isPending ? 'answer' : null);
  const { credentials } = form.values;
  return (
    <Form draft={form} error={save.error} onSubmit={() => save.mutate(form.values)}>
      <Stack gap="lg">
        <FormField of="name">
          <TextInput label="Name" required data-autofocus autoComplete="off" />
        </FormField>
        <Part title="Where it reads">
          <SchemaForm fields={PLACE} of="config" />
          <SchemaForm
            fields={CREDENTIALS}
            of="credentials"
            stored={source?.credentialNames ?? []}
            removed={CREDENTIALS.map(({ name }) => name).filter((name) => credentials[name] === null)}
            onRemove={(name, isRemoved) =>
              form.setFieldValue('credentials', (all) => ({ ...all, [name]: isRemoved ? null : '' }))
            }
          />
          {source === undefined ? null : (
            <Text size="xs" c="dimmed">
              If you change the brokers, type the credentials again: they are not sent to others.
            </Text>
          )}
        </Part>
        <Part title="What a record means">
          <WhereField draft="eventType" label="Event type" by={EVENT_TYPE} chosen={form.values.eventType.by} />
          <FormField of="config.data.pointer" path="data">
            <TextInput
              label="Payload"
              description="A JSON pointer to a part of the value, such as /data. Empty: the whole value, byte for byte."
              autoComplete="off"
            />
          </FormField>
          <WhereField
            draft="application"
            label="Customer"
            description="Where the external id of the customer is."
            by={APPLICATION}
            chosen={form.values.application.by}
          />
          <FormField of="config.orderingKey" path="isOrdered" type="checkbox">
            <Switch label="The key of a record is the ordering key of its event" />
          </FormField>
          <FormField of="config.idempotencyKey.header" path="idempotencyKey">
            <TextInput
              label="Header with the idempotency key"
              description="A record whose key was read before adds no event."
              autoComplete="off"
            />
          </FormField>
          <SchemaForm fields={RECORDS} of="config" />
        </Part>
        <FormRefusal title={source === undefined ? 'The source was not added' : 'Nothing was changed'} />
        <Button type="submit" size="sm" loading={save.isPending}>
          {source === undefined ? 'Add source' : 'Save source'}
        </Button>
      </Stack>
    </Form>
  );
}

function useSave(source: Source | undefined, start: SourceDraft, onDone: (source: Source) => void) {
  const place = usePlace();
  const queryClient = useQueryClient();
  const path = { workspaceId: place.workspace.id };
  const readNow = async (id: string) => {
    const { sources } = await queryClient.fetchQuery({ ...sourcesQuery(place), staleTime: 0 });
    return sources.find((one) => one.id === id);
  };
  return useMutation({
    mutationFn: async (draft: SourceDraft) => {
      const { data } =
        source === undefined
          ? await client.POST('/api/workspaces/{workspaceId}/sources', {
              params: { path },
              // Its type and the rest have defaults.
              body: { ...sourceBody(draft), environmentId: place.environment.id } as CreateSourceBody,
            })
          : await client.PATCH('/api/workspaces/{workspaceId}/sources/{id}', {
              params: { path: { ...path, id: source.id } },
              body: sourceBody(rebasedSource(draft, start, (await readNow(source.id)) ?? source)),
            });
      if (data === undefined) throw new Error('The answer was empty.');
      return data;
    },
    onSuccess: async (saved) => {
      await queryClient.invalidateQueries({ queryKey: sourcesQuery(place).queryKey });
      onDone(saved);
    },
  });
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack gap="sm" component="section" aria-label={title}>
      <Title order={3} fz="sm" fw={500}>
        {title}
      </Title>
      {children}
    </Stack>
  );
}

const EVENT_TYPE = [
  { value: 'header', label: 'in a header' },
  { value: 'pointer', label: 'in the value' },
  { value: 'fixed', label: 'always the same' },
];
const APPLICATION = [
  { value: '', label: 'no customer' },
  { value: 'header', label: 'in a header' },
  { value: 'pointer', label: 'in the value' },
];

const TEXTS: Record<string, { label: string; placeholder: string }> = {
  header: { label: 'Header', placeholder: 'type' },
  pointer: { label: 'JSON pointer', placeholder: '/type' },
  fixed: { label: 'Name', placeholder: 'order.placed' },
};

type WhereProps = {
  draft: 'eventType' | 'application';
  label: string;
  description?: string;
  by: { value: string; label: string }[];
  chosen: string;
};

/** Selects the place of a value in a record: the kind of place, and its name. */
function WhereField({ draft, label, description, by, chosen }: WhereProps) {
  const text = TEXTS[chosen];
  return (
    <Group gap="sm" align="flex-end" wrap="nowrap">
      <FormField of={`config.${draft}`} path={`${draft}.by`}>
        <Select label={label} description={description} size="sm" allowDeselect={false} data={by} flex={1} />
      </FormField>
      {text === undefined ? null : (
        <FormField of={`config.${draft}.${chosen}`} path={`${draft}.text`}>
          <TextInput {...text} aria-label={`${label}: ${text.label}`} required autoComplete="off" flex={1} />
        </FormField>
      )}
    </Group>
  );
}
