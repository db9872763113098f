import { Group, NumberInput, Stack, Switch, Text, Textarea, TextInput, Title } from '@mantine/core';
import { ERROR_ABOVE } from '../../../components/error-above.ts';
import { FormField } from '../../../components/form.tsx';
import type { ConfigDraft } from './config-draft.ts';
import { useEndpointDefaults } from './endpoint-defaults.ts';

export type FieldsProps = { draft: ConfigDraft; onChange: (part: Partial<ConfigDraft>) => void };

type AddressProps = FieldsProps & { hasUrl: boolean; hasHeaders: boolean };

/** Where requests go, and the headers that are not secret. */
export function AddressFields({ draft, onChange, hasUrl, hasHeaders }: AddressProps) {
  return (
    <Stack gap="md" component="section" aria-label="Address" maw={640}>
      <Title order={2}>Address</Title>
      {hasUrl ? (
        <FormField of="url">
          <TextInput
            label="URL"
            description="Another origin clears the credentials and the secret headers."
            required
            value={draft.url}
            onChange={({ currentTarget }) => onChange({ url: currentTarget.value })}
          />
        </FormField>
      ) : null}
      <FormField of="description">
        <TextInput
          label="Description"
          value={draft.description}
          onChange={({ currentTarget }) => onChange({ description: currentTarget.value })}
        />
      </FormField>
      {hasHeaders ? (
        <FormField of="config.headers">
          <Textarea
            label="Headers"
            description="One in each line, such as X-Team: billing. Values that must stay secret belong under Security."
            autosize
            minRows={2}
            spellCheck={false}
            styles={{ input: { fontFamily: 'var(--mono)', fontSize: 12.5 } }}
            value={draft.headers}
            onChange={({ currentTarget }) => onChange({ headers: currentTarget.value })}
          />
        </FormField>
      ) : null}
    </Stack>
  );
}

/** How long an attempt may take, and how many there may be. */
export function LimitFields({ draft, onChange }: FieldsProps) {
  const byDefault = useEndpointDefaults();
  return (
    <Stack gap="sm" component="section" aria-label="Limits">
      <Title order={2}>Limits</Title>
      <Group gap="md" align="flex-end">
        <FormField of="config.timeoutSeconds">
          <Field
            label="Timeout, in seconds"
            max={30}
            placeholder={String(byDefault?.timeoutSeconds ?? 'the default')}
            value={draft.timeoutSeconds}
            onChange={(timeoutSeconds) => onChange({ timeoutSeconds })}
          />
        </FormField>
        <FormField of="config.rateLimit.limit">
          <Field
            label="At most … attempts"
            max={10_000}
            value={draft.limit}
            onChange={(limit) => onChange({ limit })}
          />
        </FormField>
        <FormField of="config.rateLimit.periodSeconds">
          <Field
            label="in … seconds"
            max={3_600}
            placeholder="1"
            value={draft.periodSeconds}
            onChange={(periodSeconds) => onChange({ periodSeconds })}
          />
        </FormField>
        <FormField of="config.maxConcurrency">
          <Field
            label="At once, at most"
            max={100}
            value={draft.maxConcurrency}
            onChange={(maxConcurrency) => onChange({ maxConcurrency })}
          />
        </FormField>
      </Group>
      <Text size="xs" c="dimmed">
        An empty field is the default. Deliveries above a limit wait, and spend no attempt.
      </Text>
    </Stack>
  );
}

/** Whether deliveries of events with one ordering key are sent one after the other. */
export function OrderingField({ draft, onChange }: FieldsProps) {
  return (
    <Stack gap="sm" component="section" aria-label="Order">
      <Title order={2}>Order</Title>
      <Switch
        label="Keep the order of events with an ordering key"
        description="Deliveries of one key are sent one after the other; one that fails holds the others of its key. Switching it off sends what waits."
        checked={draft.isFifo}
        onChange={({ currentTarget }) => onChange({ isFifo: currentTarget.checked })}
      />
    </Stack>
  );
}

type NumberFieldProps = {
  label: string;
  max: number;
  placeholder?: string;
  error?: string;
  value: number | '';
  onChange: (value: number | '') => void;
};

function Field({ label, max, placeholder = 'no limit', error, value, onChange }: NumberFieldProps) {
  return (
    <NumberInput
      label={label}
      size="sm"
      w={160}
      min={1}
      max={max}
      allowDecimal={false}
      placeholder={placeholder}
      error={error}
      inputWrapperOrder={ERROR_ABOVE}
      value={value}
      onChange={(next) => onChange(next === '' ? '' : Number(next))}
    />
  );
}
