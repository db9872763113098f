import { Alert, Button, Group, Text } from '@mantine/core';
import { ApiError, problemsBeyond } from '../client/api-error.ts';
import { errorWords } from '../client/refusal-words.ts';
import { t } from '../language/language.ts';
import { Id } from './id.tsx';

type Props = {
  error: unknown;
  title: string;
  onRetry?: () => void;
  /** The fields that display their own problems. The notice leaves these out, and is hidden if nothing else remains. */
  shown?: readonly string[];
};

/** Shows what happened, the request id, and a button to try again. */
export function ErrorNotice({ error, title, onRetry, shown }: Props) {
  const requestId = error instanceof ApiError ? error.requestId : null;
  const problems = shown && problemsBeyond(error, shown);
  if (problems?.length === 0) return null;
  return (
    <Alert color="red" variant="light" title={title} role="alert">
      <Text size="sm" style={{ whiteSpace: 'pre-line' }}>
        {problems?.join('\n') ?? errorWords(error)}
      </Text>
      {requestId === null ? null : (
        <Group gap="xs" mt="xs">
          <Text size="xs" c="dimmed">
            {t('Request')}
          </Text>
          <Id value={requestId} />
        </Group>
      )}
      {onRetry === undefined ? null : (
        <Button variant="default" mt="sm" onClick={onRetry}>
          {t('Try again')}
        </Button>
      )}
    </Alert>
  );
}
