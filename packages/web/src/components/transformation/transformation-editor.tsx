import { Button, Group, Select, SimpleGrid, Skeleton, Stack, Switch, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldProblem } from '../../client/api-error.ts';
import type { EndpointConfig } from '../../client/resources.ts';
import { t } from '../../language/language.ts';
import { ConfirmDialog } from '../confirm-dialog.tsx';
import { ErrorNotice } from '../error-notice.tsx';
import { type EventTypeChoice, EventTypeSelect } from '../event-type-select.tsx';
import { JsonField } from '../json-field.tsx';
import { SampleSelect } from '../sample/sample-select.tsx';
import type { Samples } from '../sample/samples.ts';
import { useSample } from '../sample/use-sample.ts';
import { CodeField } from './code-field.tsx';
import { faultWords } from './fault-words.ts';
import { TransformationResult } from './transformation-result.tsx';
import { type RunTransformation, useRun } from './use-run.ts';

export type Transformation = NonNullable<EndpointConfig['transformation']>;

type Props = EventTypeChoice & {
  /** The endpoint's current transformation; undefined for none. */
  saved: Transformation | undefined;
  /** The samples of the chosen event type. */
  samples: Samples;
  run: RunTransformation;
  /** Saves the transformation; undefined as argument removes it. Absent for a person who may only try it. */
  save: ((transformation: Transformation | undefined) => Promise<unknown>) | undefined;
};

const FIRST_CODE = `function transform(event) {
  return { data: event.data };
}
`;

/** An editor for a transformation's code. It shows the result for a sample during typing. */
export function TransformationEditor(props: Props) {
  const { saved, samples, types, typeId, onChooseType, run, save } = props;
  const [code, setCode] = useState(saved?.code ?? FIRST_CODE);
  const [isEnabled, setEnabled] = useState(saved?.isEnabled ?? true);
  const saving = useMutation({ mutationFn: async (next: Transformation | undefined) => save?.(next) });
  const { noun } = samples.texts;
  const type = (next: string) => {
    setCode(next);
    saving.reset();
  };
  /** The name of a ready-made one that would replace what was typed; null while nothing is asked. */
  const [asked, setAsked] = useState<string | null>(null);
  const startFrom = (name: string | null) => {
    type(READY_MADE.find((one) => one.name === name)?.code ?? code);
    setAsked(null);
  };
  const isTyped = ![saved?.code ?? FIRST_CODE, ...READY_MADE.map((one) => one.code)].includes(code);
  const isChanged = code !== saved?.code || isEnabled !== (saved.isEnabled ?? true);
  return (
    <Stack gap="md" component="section" aria-label={t('Transformation')}>
      <Title order={2}>{t('Transformation')}</Title>
      <Text size="sm" c="dimmed" maw={760}>
        {t(
          `JavaScript that makes what is sent from each ${noun}. It runs at each attempt, so a change also applies to retries. The body that it makes is signed.`,
        )}
      </Text>
      <Group gap="md" align="flex-end">
        <Select
          label={t('Start from')}
          size="sm"
          placeholder={t('A ready-made one')}
          data={READY_MADE.map(({ name, label }) => ({ value: name, label }))}
          value={null}
          onChange={isTyped ? setAsked : startFrom}
        />
        <EventTypeSelect types={types} typeId={typeId} onChooseType={onChooseType} placeholder={t('without a type')} />
      </Group>
      <ConfirmDialog
        opened={asked !== null}
        onClose={() => setAsked(null)}
        title={t('Replace the code?')}
        action={t('Replace code')}
        onConfirm={() => startFrom(asked)}
        pending={false}
        error={null}
      >
        {t('Your changes of the code are not saved, and are lost.')}
      </ConfirmDialog>
      {/* Another type begins with its own example. */}
      <CodeAndResult
        key={typeId ?? ''}
        {...{ code, typeId, samples, run }}
        onType={type}
        refusal={fieldProblem(saving.error, SAVED_CODE)}
      />
      <Switch
        label={t('Transform')}
        description={t(`When it is off, each ${noun} is sent as it is.`)}
        checked={isEnabled}
        disabled={save === undefined}
        onChange={({ currentTarget }) => {
          setEnabled(currentTarget.checked);
          saving.reset();
        }}
      />
      {saving.error ? (
        <ErrorNotice title={t('The transformation was not saved')} error={saving.error} shown={[SAVED_CODE]} />
      ) : null}
      {save === undefined ? null : (
        <Group gap="sm">
          <Button
            size="sm"
            disabled={!isChanged}
            loading={saving.isPending}
            onClick={() => saving.mutate({ language: 'javascript', code, isEnabled })}
          >
            {t('Save transformation')}
          </Button>
          {saved === undefined ? null : (
            <Button size="sm" variant="default" disabled={saving.isPending} onClick={() => saving.mutate(undefined)}>
              {t('Remove')}
            </Button>
          )}
          <Text size="sm" role="status">
            {saving.isSuccess ? savedWords(saving.variables) : ''}
          </Text>
        </Group>
      )}
    </Stack>
  );
}

const SAVED_CODE = 'config.transformation.code';

function savedWords(transformation: Transformation | undefined): string {
  if (transformation === undefined) return t('Removed.');
  return transformation.isEnabled === false
    ? t('Saved. It is off.')
    : t('Saved. It applies to every attempt from now on.');
}

type CodeProps = Pick<Props, 'samples' | 'typeId' | 'run'> & {
  code: string;
  onType: (code: string) => void;
  /** Why the code was not saved. */
  refusal: string | undefined;
};

/** The code and its sample on the left, the result on the right. */
function CodeAndResult({ code, onType, samples, typeId = '', run, refusal }: CodeProps) {
  const sample = useSample(samples);
  const { text } = sample.sample;
  const tried = useRun(run, { code, payload: text, typeId });
  const fault = tried.answer?.error ?? null;
  const refused = refusal ?? fieldProblem(tried.error, 'code');
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
      <Stack gap="md" miw={0}>
        <CodeField
          label={t('Code')}
          code={code}
          onChange={onType}
          error={refused ?? (fault === null ? undefined : faultWords(fault))}
          wrongLine={fault?.line}
        />
        <SampleSelect label={t('Run with')} samples={samples} state={sample} />
        <JsonField label={t('Payload')} text={text} onChange={sample.type} />
      </Stack>
      <Stack gap="md" miw={0} component="section" aria-label={t('Result')}>
        <Group gap="sm" justify="space-between">
          <Title order={3} fz="sm" fw={500}>
            {t('What it makes')}
          </Title>
          <Button size="xs" variant="default" loading={tried.isRunning} onClick={() => void tried.run()}>
            {t('Run')}
          </Button>
        </Group>
        {tried.error && refused === undefined ? (
          <ErrorNotice title={t('It was not run')} error={tried.error} onRetry={() => void tried.run()} />
        ) : null}
        {tried.error ? null : tried.answer === undefined ? (
          <Skeleton height={120} />
        ) : (
          <TransformationResult result={tried.answer} noun={samples.texts.noun} />
        )}
      </Stack>
    </SimpleGrid>
  );
}

/** The programs of docs/transformations at the time of the build. A test runs them. */
const CODE = import.meta.glob<string>('../../../../../docs/transformations/*.js', {
  query: '?raw',
  import: 'default',
  eager: true,
});

const LABELS: Readonly<Record<string, string>> = {
  slack: 'Slack',
  discord: 'Discord',
  teams: 'Microsoft Teams',
  pagerduty: 'PagerDuty',
  flatten: t('Flatten to the old shape'),
};

/** Ready-made transformations to start from. */
const READY_MADE = Object.entries(LABELS).map(([name, label]) => ({
  name,
  label,
  code: CODE[`../../../../../docs/transformations/${name}.js`] ?? '',
}));
