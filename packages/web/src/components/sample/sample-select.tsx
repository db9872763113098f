import { Loader, Select, Stack, Text } from '@mantine/core';
import { errorWords } from '../../client/refusal-words.ts';
import { nowMs } from '../../clock.ts';
import { t } from '../../language/language.ts';
import { relativeWords } from '../time-words.ts';
import type { Samples } from './samples.ts';
import type { useSample } from './use-sample.ts';

type Props = { label: string; samples: Samples; state: ReturnType<typeof useSample> };

const EXAMPLE = 'example';
const OWN = 'own';

/** Selects the type's example, or the payload of one of its newest events. */
export function SampleSelect({ label, samples, state }: Props) {
  const events = samples.recent.map(({ id, createdAt }) => ({
    value: id,
    label: `${id.slice(0, 4)}…${id.slice(-6)}, ${relativeWords(Date.parse(createdAt), nowMs())}`,
  }));
  const aNoun = samples.texts.noun === 'event' ? 'an event' : 'a message';
  const data = [
    { value: EXAMPLE, label: t('The example of the type') },
    ...(state.isTyped ? [{ value: OWN, label: t('Your own') }] : []),
    ...(events.length === 0 ? [] : [{ group: t(`Payload of ${aNoun}`), items: events }]),
  ];
  return (
    <Stack gap={4}>
      <Select
        label={label}
        size="sm"
        allowDeselect={false}
        rightSection={state.isLoading ? <Loader size={14} /> : undefined}
        data={data}
        value={state.isTyped ? OWN : (state.chosen ?? EXAMPLE)}
        onChange={(value) => value !== OWN && state.choose(value === EXAMPLE ? null : String(value))}
      />
      {state.error ? (
        <Text size="xs" c="var(--failed-ink)" role="alert">
          {errorWords(state.error)}
        </Text>
      ) : null}
      {events.length === 0 ? null : (
        <Text size="xs" c="dimmed">
          {t(`Reading the payload of ${aNoun} is entered in the ${samples.texts.log}.`)}
        </Text>
      )}
    </Stack>
  );
}
