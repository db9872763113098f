import { Button, Group, NumberInput, type NumberInputProps, Paper, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Endpoint } from '../../../client/resources.ts';
import { ERROR_ABOVE } from '../../../components/error-above.ts';
import { Form, FormField, FormRefusal } from '../../../components/form.tsx';
import { useChangeEndpoint } from '../endpoints/use-update-endpoint.ts';

const DEFAULT_ANSWER = { status: 200, delayMs: 0, failFirst: 0, body: '' };

/** Sets how the playground answers the next attempts. */
export function PlaygroundAnswer({ endpoint }: { endpoint: Endpoint }) {
  const { mutate, isPending, isSuccess, error } = useChangeEndpoint(endpoint.id);
  const form = useForm({
    initialValues: { config: { playground: { ...DEFAULT_ANSWER, ...endpoint.config.playground } } },
  });
  const { body, ...numbers } = form.values.config.playground;
  const save = () => {
    const { status, delayMs, failFirst } = numbers;
    const playground = { body, status: Number(status), delayMs: Number(delayMs), failFirst: Number(failFirst) };
    mutate(({ config }) => ({ config: { ...config, playground } }), { onSuccess: () => form.resetDirty() });
  };
  return (
    <Paper withBorder p="md" component="section" aria-label="What it answers">
      <Form draft={form} error={error} onSubmit={save}>
        <Group gap="md" align="flex-end">
          <NumberField of="status" label="Status" min={200} max={599} />
          <NumberField of="delayMs" label="After, in ms" min={0} max={10_000} />
          <NumberField of="failFirst" label="Failures first" min={0} max={20} />
          <FormField of="config.playground.body">
            <TextInput label="Body" flex="1 1 160px" inputWrapperOrder={ERROR_ABOVE} />
          </FormField>
          <Button type="submit" size="sm" loading={isPending}>
            Answer like this
          </Button>
        </Group>
        <FormRefusal title="Nothing was changed" />
      </Form>
      <Text size="xs" c="dimmed" mt="sm" role="status">
        {isSuccess && !form.isDirty()
          ? 'The next attempts are answered like this.'
          : 'Each attempt that starts after a change is answered by it.'}
      </Text>
    </Paper>
  );
}

function NumberField({ of, ...given }: NumberInputProps & { of: keyof typeof DEFAULT_ANSWER }) {
  return (
    <FormField of={`config.playground.${of}`}>
      <NumberInput size="sm" w={150} allowDecimal={false} inputWrapperOrder={ERROR_ABOVE} {...given} />
    </FormField>
  );
}
