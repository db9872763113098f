import {
  Group,
  NumberInput,
  type NumberInputProps,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { ERROR_ABOVE } from '../../../components/error-above.ts';
import { FormField } from '../../../components/form.tsx';
import { useEndpointDefaults } from './endpoint-defaults.ts';

/** The URL of the endpoint, and its headers that are not secret. */
export function AddressFields({ hasUrl, hasHeaders }: { hasUrl: boolean; hasHeaders: boolean }) {
  return (
    <Stack gap="md" component="section" aria-label="Address" maw={640}>
      <Title order={2}>Address</Title>
      {hasUrl ? (
        <FormField of="url">
          <TextInput label="URL" description="Another origin clears the credentials and the secret headers." required />
        </FormField>
      ) : null}
      <FormField of="description">
        <TextInput label="Description" />
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
          />
        </FormField>
      ) : null}
    </Stack>
  );
}

/** The timeout of an attempt, and the limits of the endpoint. */
export function LimitFields() {
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
          />
        </FormField>
        <FormField of="config.rateLimit.limit">
          <Field label="At most … attempts" max={10_000} />
        </FormField>
        <FormField of="config.rateLimit.periodSeconds">
          <Field label="in … seconds" max={3_600} placeholder="1" />
        </FormField>
        <FormField of="config.maxConcurrency">
          <Field label="At once, at most" max={100} />
        </FormField>
      </Group>
      <Text size="xs" c="dimmed">
        An empty field is the default. Deliveries above a limit wait, and spend no attempt.
      </Text>
      <FormField of="config.catchUp" type="checkbox">
        <Switch
          label="Send everything at once after an outage of Posthorn"
          description="Otherwise what waited is sent at twice the usual rate of this endpoint."
        />
      </FormField>
    </Stack>
  );
}

/** Whether deliveries of events with the same ordering key are sent one after the other. */
export function OrderingField() {
  return (
    <Stack gap="sm" component="section" aria-label="Order">
      <Title order={2}>Order</Title>
      <FormField of="config.ordering" type="checkbox">
        <Switch
          label="Keep the order of events with an ordering key"
          description="Deliveries of one key are sent one after the other; one that fails holds the others of its key. Switching it off sends what waits."
        />
      </FormField>
    </Stack>
  );
}

/** A number input. The form around it provides its value. */
function Field({ placeholder = 'no limit', ...input }: NumberInputProps) {
  return (
    <NumberInput
      size="sm"
      w={160}
      min={1}
      allowDecimal={false}
      placeholder={placeholder}
      inputWrapperOrder={ERROR_ABOVE}
      {...input}
    />
  );
}
