import { Button, MultiSelect, SegmentedControl, Select, Stack, Text, TextInput, useMatches } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useEffectEvent } from 'react';
import type { EndpointType, EventType } from '../client/resources.ts';
import { t } from '../language/language.ts';
import { announceUnsubscribed } from './announce-change.tsx';
import {
  draftOfKind,
  hasDestination,
  type NewEndpointBody,
  type NewEndpointDraft,
  newEndpointBody,
} from './destination/new-endpoint-draft.ts';
import { fieldsOf } from './destination/schema-fields.ts';
import { SchemaForm } from './destination/schema-form.tsx';
import { SetupText } from './destination/setup-text.tsx';
import { Form, FormField, FormRefusal } from './form.tsx';
import { useHeldSheet } from './hold-sheet.ts';
import { KEEP_KEY } from './pull/pull-panel.tsx';
import { SecretOnce } from './secret-once.tsx';

type Added = { id: string; pullKey: string | null };

type Props = {
  /** The kinds of endpoints to choose from. The first one is preselected. */
  kinds: readonly EndpointType[];
  types: readonly Pick<EventType, 'id' | 'name'>[];
  words: { kind: string; url: string; types: string };
  /** The name of a kind, and a note about a kind without an address. */
  nameOf: (kind: EndpointType) => string;
  aboutOf: (kind: EndpointType) => string;
  add: (body: NewEndpointBody) => Promise<Partial<Added> | undefined>;
  subscribe: (id: string, eventTypeIds: string[]) => Promise<unknown>;
  onSettled: () => unknown;
  /** Called after the endpoint was added. For a pull endpoint, after its key was copied. */
  onAdded: (added: Added) => void;
  /** Fields above the others, and a note above the button. */
  first?: ReactNode;
  note?: ReactNode;
};

/** The form for a new endpoint, with the types that it subscribes to. */
export function NewEndpoint({ kinds, types, words, first, note, ...props }: Props) {
  const form = useForm<NewEndpointDraft>({
    initialValues: { url: '', description: '', eventTypeIds: [], ...draftOfKind(kinds[0]) },
  });
  const choose = useEffectEvent((kind: EndpointType | undefined) => form.setValues(draftOfKind(kind)));
  // The kinds may load after the form is shown. What was typed until then stays.
  const [usual] = kinds;
  useEffect(() => choose(usual), [usual]);
  const kind = kinds.find(({ type }) => type === form.values.type);
  const add = useMutation({
    mutationFn: async () => {
      const { eventTypeIds } = form.values;
      const { id = '', pullKey = null } = (await props.add(newEndpointBody(kind, form.values))) ?? {};
      if (eventTypeIds.length > 0) await props.subscribe(id, eventTypeIds).catch(announceUnsubscribed);
      return { id, pullKey };
    },
    onSettled: props.onSettled,
    onSuccess: (added) => {
      if (added.pullKey === null) props.onAdded(added);
    },
  });
  useHeldSheet(add.isPending ? 'answer' : null);
  if (add.data?.pullKey) {
    const done = () => props.onAdded(add.data);
    return <SecretOnce secret={add.data.pullKey} what={t('the pull key')} sentence={KEEP_KEY} onDone={done} />;
  }
  return (
    <Form draft={form} error={add.error} onSubmit={add.mutate}>
      <Stack gap="md">
        {first}
        <Kinds kinds={kinds} form={form} label={words.kind} nameOf={props.nameOf} />
        {kind === undefined || kind.hasUrl ? (
          <FormField of="url">
            <TextInput
              label={words.url}
              description={t('An https address that answers quickly.')}
              placeholder="https://example.com/webhooks"
              required
              data-autofocus
            />
          </FormField>
        ) : (
          <Destination kind={kind} about={props.aboutOf(kind)} />
        )}
        <FormField of="description">
          <TextInput label={t('Description')} />
        </FormField>
        <FormField of="eventTypeIds">
          <MultiSelect
            label={t('Event types')}
            description={words.types}
            size="sm"
            searchable
            clearable
            data={types.map(({ id, name }) => ({ value: id, label: name }))}
          />
        </FormField>
        <FormRefusal title={t('The endpoint was not added')} />
        {note}
        <Button type="submit" size="sm" loading={add.isPending}>
          {t('Add endpoint')}
        </Button>
      </Stack>
    </Form>
  );
}

/** More choices do not fit side by side. */
const MOST_BESIDE = 2;

type KindsProps = Pick<Props, 'kinds' | 'nameOf'> & { label: string; form: UseFormReturnType<NewEndpointDraft> };

function Kinds({ kinds, nameOf, label, form }: KindsProps) {
  // Side by side, the choices would be wider than a phone.
  const orientation = useMatches({ base: 'vertical', xs: 'horizontal' } as const);
  const data = kinds.map((kind) => ({ value: kind.type, label: nameOf(kind) }));
  const { type: value = '' } = form.values;
  const onChange = (type: string | null) => form.setValues(draftOfKind(kinds.find((kind) => kind.type === type)));
  if (kinds.length > MOST_BESIDE) {
    return <Select {...{ label, data, value, onChange }} size="sm" allowDeselect={false} />;
  }
  return <SegmentedControl {...{ data, value, onChange, orientation }} aria-label={label} fullWidth />;
}

/** The form of a kind without a URL, made from its schemas. A pull endpoint has no fields here. */
function Destination({ kind, about }: { kind: EndpointType; about: string }) {
  const hasForm = hasDestination(kind);
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        {about}
      </Text>
      {hasForm ? (
        <>
          <SetupText setup={kind.setup} />
          <SchemaForm fields={fieldsOf(kind.configSchema)} of="config.destination" />
          <SchemaForm fields={fieldsOf(kind.credentialsSchema)} of="credentials" />
          <Text size="xs" c="dimmed">
            {t('Credentials are stored encrypted and never shown again.')} {kind.delivered}
          </Text>
        </>
      ) : null}
    </Stack>
  );
}
