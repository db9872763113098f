import { Group, Skeleton, Stack, Text } from '@mantine/core';
import type { DryRun } from '../../client/resources.ts';
import { counted, number, t } from '../../language/language.ts';
import { utcWords } from '../time-words.ts';
import { countWords, type Noun } from './operation-words.ts';

const MAX_TYPES = 12;

/** What an operation would select now: the number of deliveries, by event type, and the first and last times. */
export function DryRunCount({ dryRun, noun }: { dryRun: DryRun | undefined; noun: Noun }) {
  if (dryRun === undefined) return <Skeleton height={64} aria-label={t('Counting')} />;
  const types = Object.entries(dryRun.eventTypes).sort(([, a], [, b]) => b - a);
  const rest = types.slice(MAX_TYPES);
  return (
    <Stack gap="xs">
      <Text size="lg" fw={600}>
        {countWords(dryRun.matched, noun)}
      </Text>
      {types.slice(0, MAX_TYPES).map(([name, count]) => (
        <Row key={name} name={name} count={count} />
      ))}
      {rest.length === 0 ? null : (
        <Row
          name={counted(rest.length, '{count} more event type', '{count} more event types')}
          count={rest.reduce((sum, [, count]) => sum + count, 0)}
        />
      )}
      {dryRun.oldest === null || dryRun.newest === null ? null : (
        <Text size="xs" c="dimmed">
          {t('From {oldest} to {newest}', {
            oldest: utcWords(dryRun.oldest),
            newest: utcWords(dryRun.newest),
          })}
        </Text>
      )}
    </Stack>
  );
}

function Row({ name, count }: { name: string; count: number }) {
  return (
    <Group justify="space-between" wrap="nowrap">
      <Text size="sm" className="mono" truncate="end">
        {name}
      </Text>
      <Text size="sm">{number(count)}</Text>
    </Group>
  );
}
