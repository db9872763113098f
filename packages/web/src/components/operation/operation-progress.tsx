import { Progress, Stack, Text } from '@mantine/core';
import type { Operation } from '../../client/resources.ts';
import { t } from '../../language/language.ts';
import { isOpen, progressOf, progressWords } from './operation-words.ts';

/** The progress of an operation: a bar and one sentence. */
export function OperationProgress({ operation }: { operation: Operation }) {
  const { status, error } = operation;
  return (
    <Stack gap={4}>
      <Progress
        size="sm"
        value={progressOf(operation) * 100}
        color={status === 'failed' ? 'red' : 'accent'}
        animated={isOpen(operation)}
        aria-label={t('Progress of the operation')}
      />
      <Text size="sm">{progressWords(operation)}</Text>
      {error === null ? null : (
        <Text size="sm" c="var(--failed-ink)">
          {error}
        </Text>
      )}
    </Stack>
  );
}
