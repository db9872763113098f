import { Alert, Button, Group, Text } from '@mantine/core';
import { ApiError } from '../client/api-error.ts';
import { t } from '../language/language.ts';
import { Id } from './id.tsx';

/** What happened, under which request id, and a way to try again. */
export function ErrorNotice({ error, title, onRetry }: { error: unknown; title: string; onRetry?: () => void }) {
  const requestId = error instanceof ApiError ? error.requestId : null;
  return (
    <Alert color="red" variant="light" title={title} role="alert">
      <Text size="sm">{error instanceof Error ? error.message : t('An unexpected error')}</Text>
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
