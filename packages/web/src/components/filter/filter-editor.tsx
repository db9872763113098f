import { Button, Group, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../client/api-error.ts';
import type { FilterAnswer } from '../../client/resources.ts';
import { t } from '../../language/language.ts';
import { ErrorNotice } from '../error-notice.tsx';
import { JsonField } from '../json-field.tsx';
import { prettyJson } from '../pretty-json.ts';
import { SampleSelect } from '../sample/sample-select.tsx';
import type { Samples } from '../sample/samples.ts';
import { useSample } from '../sample/use-sample.ts';
import { FilterResult } from './filter-result.tsx';
import { lineOfRefusal } from './lines-of-clauses.ts';

type Props = {
  /** The filter of the subscription; null for none. */
  filter: object | null;
  samples: Samples;
  test: TestFilter;
  /** Saves the typed filter; `null` removes it. */
  save: (filter: string) => Promise<unknown>;
};

/** A subscription's filter as JSON and in words. It is tested against a sample payload during typing. */
export function FilterEditor({ filter, samples, test, save }: Props) {
  const sample = useSample(samples);
  const [text, setText] = useState(() => JSON.stringify(filter ?? firstFilter(sample.sample.text), null, 2));
  const saving = useMutation({ mutationFn: save });
  const tested = useFilterTest(test, { filter: text, payload: sample.sample.text });
  const refusal = refusalOf(tested.error);
  return (
    <Stack gap="md">
      <JsonField label={t('Filter')} text={text} onChange={setText} error={refusal && atLine(text, refusal)} />
      <FilterResult
        filter={text}
        answer={tested.data}
        refusal={refusal}
        error={refusal === undefined ? tested.error : null}
      />
      <Stack gap="xs">
        <SampleSelect label={t('Tested with')} samples={samples} state={sample} />
        <JsonField label={t('Sample payload')} text={sample.sample.text} onChange={sample.type} />
      </Stack>
      {saving.error ? <ErrorNotice title={t('The filter was not saved')} error={saving.error} /> : null}
      <Group gap="sm">
        <Button
          size="sm"
          disabled={prettyJson(text) === undefined}
          loading={saving.isPending}
          onClick={() => saving.mutate(text)}
        >
          {t('Save filter')}
        </Button>
        {filter === null ? null : (
          <Button size="sm" variant="default" onClick={() => saving.mutate('null')}>
            {t('Remove filter')}
          </Button>
        )}
      </Group>
      <Text size="xs" c="dimmed">
        {t(
          'Only what matches is delivered, from about a second after it is saved. A path names keys with dots between them. Operators: eq, ne, in, gt, gte, lt, lte, exists, startsWith, endsWith, contains; and, or, not.',
        )}
      </Text>
    </Stack>
  );
}

/** A first filter to edit. The sample matches it, if the sample's first key can be a path. */
function firstFilter(sample: string): object {
  const [start = '', key = ''] = sample.split('"', 2);
  const isPath = start.trim() === '{' && key !== '' && !key.includes('.') && !key.includes('\\');
  return { [isPath ? key : 'id']: { exists: true } };
}

/** The service's message if it refuses the filter itself. */
function refusalOf(error: unknown): string | undefined {
  return error instanceof ApiError && error.code === 'validation_error' ? error.message : undefined;
}

function atLine(text: string, refusal: string): string {
  const line = lineOfRefusal(text, refusal);
  return line === undefined ? refusal : t('Line {line}: {message}', { line, message: refusal });
}

/** Asks the service whether a payload matches a filter. Both are the typed JSON. */
type TestFilter = (filter: string, payload: string) => Promise<FilterAnswer>;

const PAUSE_MS = 300;

/** The service's result for a filter and a payload. It is requested when typing pauses. */
function useFilterTest(test: TestFilter, typed: { filter: string; payload: string }) {
  // Debounces the two texts, not `typed`: that is a new object at each render, so the pause would never end.
  const [filter] = useDebouncedValue(typed.filter, PAUSE_MS);
  const [payload] = useDebouncedValue(typed.payload, PAUSE_MS);
  const isAsked = prettyJson(filter) !== undefined && prettyJson(payload) !== undefined;
  const { data, error } = useQuery({
    queryKey: ['filter test', filter, payload],
    queryFn: () => test(filter, payload),
    enabled: isAsked,
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
  });
  // The result of an earlier text must not be shown for a text that is not JSON.
  return { data: isAsked ? data : undefined, error, filter };
}
