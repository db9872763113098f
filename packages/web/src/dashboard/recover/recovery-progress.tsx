import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { ButtonLink } from '../../components/links.tsx';
import { OperationProgress } from '../../components/operation/operation-progress.tsx';
import { isOpen } from '../../components/operation/operation-words.ts';
import { operationQuery } from '../operations/operation-queries.ts';
import { usePlace } from '../place.ts';

/** The recovery that was started, until it has ended. */
export function RecoveryProgress({ operationId, onClose }: { operationId: string; onClose: () => void }) {
  const { workspace } = usePlace();
  const { data, error, refetch } = useQuery(operationQuery(workspace.id, operationId));
  if (error !== null && data === undefined) {
    return <ErrorNotice title="The progress could not be loaded" error={error} onRetry={() => void refetch()} />;
  }
  if (data === undefined) return <Skeleton height={64} />;
  return (
    <Stack gap="md">
      <OperationProgress operation={data} />
      <Text size="xs" c="dimmed">
        {isOpen(data)
          ? 'It goes on when this sheet is closed. The header shows its progress on every page.'
          : 'The recovery has ended.'}
      </Text>
      <Group gap="sm">
        <Button onClick={onClose}>Close</Button>
        <ButtonLink
          variant="default"
          from="/w/$workspace/$environment"
          to="/w/$workspace/$environment/operations"
          onClick={onClose}
        >
          Show operations
        </ButtonLink>
      </Group>
    </Stack>
  );
}
