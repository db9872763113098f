import { Button, Group, NumberInput, Paper, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Endpoint } from '../../../client/resources.ts';
import { ERROR_ABOVE } from '../../../components/error-above.ts';
import { Form, FormField, FormRefusal } from '../../../components/form.tsx';
import { useChangeEndpoint } from '../endpoints/use-update-endpoint.ts';

type Answer = { status: number; delayMs: number; failFirst: number; body: string };

const DEFAULT_ANSWER: Answer = { status: 200, delayMs: 0, failFirst: 0, body: '' };

/** What the playground answers to the next attempts. */
export function PlaygroundAnswer({ endpoint }: { endpoint: Endpoint }) {
  const { mutate, isPending, isSuccess, error, reset } = useChangeEndpoint(endpoint.id);
  const [answer, setAnswer] = useState<Answer>({ ...DEFAULT_ANSWER, ...endpoint.config.playground });
  const change = (part: Partial<Answer>) => {
    setAnswer((before) => ({ ...before, ...part }));
    reset();
  };
  const save = () => mutate(({ config }) => ({ config: { ...config, playground: answer } }));
  return (
    <Paper withBorder p="md" component="section" aria-label="What it answers">
      <Form error={error} onSubmit={save}>
        <Group gap="md" align="flex-end">
          <AnswerFields answer={answer} onChange={change} />
          <Button type="submit" size="sm" loading={isPending}>
            Answer like this
          </Button>
        </Group>
        <FormRefusal title="Nothing was changed" />
      </Form>
      <Text size="xs" c="dimmed" mt="sm" role="status">
        {isSuccess
          ? 'The next attempts are answered like this.'
          : 'Each attempt that starts after a change is answered by it.'}
      </Text>
    </Paper>
  );
}

type FieldsProps = { answer: Answer; onChange: (part: Partial<Answer>) => void };

function AnswerFields({ answer, onChange }: FieldsProps) {
  return (
    <>
      <NumberField
        of="status"
        label="Status"
        min={200}
        max={599}
        value={answer.status}
        onChange={(status) => onChange({ status })}
      />
      <NumberField
        of="delayMs"
        label="After, in ms"
        min={0}
        max={10_000}
        value={answer.delayMs}
        onChange={(delayMs) => onChange({ delayMs })}
      />
      <NumberField
        of="failFirst"
        label="Failures first"
        min={0}
        max={20}
        value={answer.failFirst}
        onChange={(failFirst) => onChange({ failFirst })}
      />
      <FormField of="config.playground.body">
        <TextInput
          label="Body"
          flex="1 1 160px"
          inputWrapperOrder={ERROR_ABOVE}
          value={answer.body}
          onChange={({ currentTarget }) => onChange({ body: currentTarget.value })}
        />
      </FormField>
    </>
  );
}

type NumberProps = {
  of: keyof Answer;
  label: string;
  min: number;
  max: number;
  value: number;
  onChange: (value: number) => void;
};

function NumberField({ of, label, min, max, value, onChange }: NumberProps) {
  return (
    <FormField of={`config.playground.${of}`}>
      <NumberInput
        label={label}
        size="sm"
        w={150}
        min={min}
        max={max}
        allowDecimal={false}
        inputWrapperOrder={ERROR_ABOVE}
        value={value}
        onChange={(next) => onChange(Number(next))}
      />
    </FormField>
  );
}
