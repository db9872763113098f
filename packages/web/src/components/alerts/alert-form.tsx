import { Alert, Button, Checkbox, NumberInput, Select, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { t } from '../../language/language.ts';
import { Form, FormField, FormRefusal } from '../form.tsx';
import {
  type AlertChannel,
  type AlertEvent,
  type AlertRule,
  CHANNEL_WORDS,
  EVENT_WORDS,
  lastErrorWords,
  USUAL_EVENTS,
} from './alert-words.ts';

export type AlertDraft = {
  name: string;
  channel: AlertChannel;
  target: string;
  events: AlertEvent[];
  quietMinutes: number;
  /** Null means every environment; undefined if the form does not offer environments. */
  environmentId?: string | null;
};

/** The choice of an environment: its label, the words for "every environment", and the names by id. */
export type AlertEnvironments = { label: string; every: string; names: ReadonlyMap<string, string> };

type Props = {
  /** The rule to edit; undefined for a new one. */
  rule: AlertRule | undefined;
  channels: readonly AlertChannel[];
  events: readonly AlertEvent[];
  /** True if the installation sends mail. */
  sendsMail: boolean;
  environments?: AlertEnvironments | undefined;
  error: unknown;
  pending: boolean;
  onSave: (draft: AlertDraft) => void;
};

const EVERY = 'every';

/** The form that creates or changes a rule. A rule's channel never changes. */
export function AlertForm({ rule, channels, events, sendsMail, environments, error, pending, onSave }: Props) {
  const offered = channels.filter((one) => sendsMail || one !== 'email');
  const form = useForm({
    initialValues: {
      name: rule?.name ?? '',
      channel: rule?.channel ?? offered[0] ?? 'slack',
      target: rule?.target ?? '',
      events: [...(rule?.events ?? USUAL_EVENTS)],
      quietMinutes: rule?.quietMinutes ?? 60,
      environmentId: rule?.environmentId ?? EVERY,
    },
  });
  const { target, description } = CHANNEL_WORDS[form.values.channel];
  const save = () => {
    const { environmentId, ...draft } = form.values;
    onSave({
      ...{ ...draft, target: draft.target.trim(), quietMinutes: Number(draft.quietMinutes) },
      ...(environments !== undefined && { environmentId: environmentId === EVERY ? null : environmentId }),
    });
  };
  return (
    <Form draft={form} error={error} onSubmit={save}>
      <Stack gap="md">
        {rule === undefined || rule.lastError === null ? null : (
          <Alert color="yellow" title={t('The last message was not sent')}>
            {lastErrorWords(rule)}
          </Alert>
        )}
        <FormField of="name">
          <TextInput label={t('Name')} description={t('Each alert shows this name.')} required data-autofocus />
        </FormField>
        <FormField of="channel">
          <Select
            label={t('Channel')}
            size="sm"
            allowDeselect={false}
            disabled={rule !== undefined}
            data={(rule === undefined ? offered : [rule.channel]).map((value) => ({
              value,
              label: CHANNEL_WORDS[value].name,
            }))}
          />
        </FormField>
        {sendsMail ? null : (
          <Text size="xs" c="dimmed">
            {t('This installation sends no mail, so email is not offered.')}
          </Text>
        )}
        <FormField of="target">
          <TextInput label={target} description={description} required />
        </FormField>
        <Stack gap="xs" component="fieldset" p={0} m={0} style={{ border: 0 }}>
          <Text component="legend" size="sm" fw={500} mb={4}>
            {t('Tell me when')}
          </Text>
          <Checkbox.Group {...form.getInputProps('events')}>
            <Stack gap="xs">
              {events.map((event) => (
                <Checkbox key={event} size="xs" value={event} label={EVENT_WORDS[event]} />
              ))}
            </Stack>
          </Checkbox.Group>
        </Stack>
        {environments === undefined ? null : (
          <FormField of="environmentId">
            <Select
              label={environments.label}
              size="sm"
              allowDeselect={false}
              data={[
                { value: EVERY, label: environments.every },
                ...[...environments.names].map(([value, name]) => ({ value, label: name })),
              ]}
            />
          </FormField>
        )}
        <FormField of="quietMinutes">
          <NumberInput
            label={t('Quiet time in minutes')}
            description={t('At most one message of each kind in this time. It names up to 10 endpoints.')}
            min={1}
            max={10_080}
            allowDecimal={false}
          />
        </FormField>
        <FormRefusal title={t('The alert was not saved')} />
        <Button type="submit" size="sm" loading={pending} disabled={form.values.events.length === 0}>
          {rule === undefined ? t('Create alert') : t('Save')}
        </Button>
      </Stack>
    </Form>
  );
}
