import { Alert, Group, Stack, Text, Title } from '@mantine/core';
import type { TransformationResult as Result } from '../../client/resources.ts';
import { t } from '../../language/language.ts';
import { CodeBlock } from '../code-block.tsx';
import { Fact } from '../fact.tsx';
import { HeaderTable } from '../header-table.tsx';
import { JsonView } from '../json-view.tsx';
import { faultWords } from './fault-words.ts';

/** The result of a transformation for a payload. Nothing was sent. */
export function TransformationResult({ result, noun }: { result: Result; noun: 'event' | 'message' }) {
  const { logs, durationMs } = result;
  return (
    <Stack gap="md">
      <Made result={result} noun={noun} />
      {logs.length === 0 ? null : (
        <Stack gap={4}>
          <Title order={3} fz="sm" fw={500}>
            console.log
          </Title>
          <CodeBlock text={logs.join('\n')} what={t('the log')} maxHeight={160} />
        </Stack>
      )}
      <Text size="xs" c="dimmed">
        {t('Took {durationMs} of 50 ms.', { durationMs })}
      </Text>
    </Stack>
  );
}

function Made({ result, noun }: { result: Result; noun: 'event' | 'message' }) {
  const { body, contentType, headers, path, reason, error } = result;
  if (error !== null) {
    return (
      <Alert color="red" variant="light" title={t('It failed')}>
        {faultWords(error)}
      </Alert>
    );
  }
  if (result.result === 'cancelled') {
    return (
      <Alert color="gray" variant="light" title={t(`The ${noun} would not be sent`)}>
        {reason}
      </Alert>
    );
  }
  return (
    <Stack gap="md">
      <Group gap="xl">
        <Fact name={t('Content type')}>{contentType ?? t('none')}</Fact>
        {path === null ? null : <Fact name={t('Added to the path of the URL')}>{path}</Fact>}
      </Group>
      {Object.keys(headers).length === 0 ? null : <HeaderTable headers={headers} />}
      <JsonView body={body ?? ''} what={t('the body')} />
    </Stack>
  );
}
