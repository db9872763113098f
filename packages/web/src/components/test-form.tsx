import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { Attempt } from '../client/resources.ts';
import { t } from '../language/language.ts';
import { AttemptView } from './attempt/attempt-view.tsx';
import { ErrorNotice } from './error-notice.tsx';
import { type EventTypeChoice, EventTypeSelect } from './event-type-select.tsx';
import { JsonField } from './json-field.tsx';
import { prettyJson } from './pretty-json.ts';
import { SampleSelect } from './sample/sample-select.tsx';
import type { Samples } from './sample/samples.ts';
import { useSample } from './sample/use-sample.ts';

type Props = EventTypeChoice & {
  /** An explanation of the test, in one or two sentences. */
  sentence: string;
  /** The samples of the chosen event type. */
  samples: Samples;
  /** Sends the typed JSON, and returns the attempt. */
  send: (typeId: string | undefined, body: string) => Promise<Attempt>;
};

/** Sends a signed request now, with a type's example, an event's payload or a typed body. */
export function TestForm(props: Props) {
  const { sentence, typeId } = props;
  return (
    <Stack gap="md" component="section" aria-label={t('Send a test')}>
      <Title order={2}>{t('Send a test')}</Title>
      <Text size="sm" c="dimmed">
        {sentence}
      </Text>
      <Group gap="sm" align="flex-start">
        <EventTypeSelect {...props} placeholder={t('without a type')} />
        {/* A new key: another type starts with its own example. */}
        <BodyAndResult key={typeId ?? ''} {...props} />
      </Group>
    </Stack>
  );
}

function BodyAndResult({ typeId, samples, send }: Props) {
  const state = useSample(samples);
  const { text } = state.sample;
  const test = useMutation({ mutationFn: (body: string) => send(typeId, body) });
  return (
    <>
      <SampleSelect label={t('Sample')} samples={samples} state={state} />
      <Stack gap="md" w="100%">
        <Stack gap="md" maw={760}>
          <JsonField label={t('Body')} text={text} onChange={state.type} maxRows={20} />
          <Button
            size="sm"
            w="fit-content"
            // While a payload is being read, the text is still the example.
            disabled={prettyJson(text) === undefined || state.isLoading}
            loading={test.isPending}
            onClick={() => test.mutate(text)}
          >
            {t('Send test')}
          </Button>
        </Stack>
        {test.error ? <ErrorNotice title={t('The test was not sent')} error={test.error} /> : null}
        {test.data === undefined ? null : <AttemptView key={test.data.id} attempt={test.data} texts={samples.texts} />}
      </Stack>
    </>
  );
}
