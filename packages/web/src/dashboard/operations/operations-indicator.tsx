import { Loader, Text } from '@mantine/core';
import { ButtonLink } from '../../components/links.tsx';
import { activityWords } from '../../components/operation/operation-words.ts';
import { usePlace } from '../place.ts';
import { useOpenOperations } from './use-open-operations.ts';
import { useReadAgainAtEnd } from './use-read-again-at-end.ts';

/**
 * In the header while an operation is open, on every page and after a reload: what it does or waits for, and the way to
 * the list. In a
 * narrow window the words would take the room of the workspace's name.
 */
export function OperationsIndicator() {
  const { workspace } = usePlace();
  const operations = useOpenOperations(workspace.id);
  useReadAgainAtEnd(operations);
  const [operation, ...others] = operations;
  if (operation === undefined) return null;
  const words = others.length > 0 ? `${others.length + 1} open operations` : activityWords(operation);
  return (
    <ButtonLink
      variant="light"
      size="compact-sm"
      leftSection={<Loader size={12} />}
      aria-label={words}
      from="/w/$workspace/$environment"
      to="/w/$workspace/$environment/operations"
    >
      <Text span inherit visibleFrom="sm">
        {words}
      </Text>
    </ButtonLink>
  );
}
