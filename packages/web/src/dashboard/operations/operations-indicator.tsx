import { Loader, Text } from '@mantine/core';
import { ButtonLink } from '../../components/links.tsx';
import { progressOf, TYPE_WORDS } from '../../components/operation/operation-words.ts';
import { usePlace } from '../place.ts';
import { useOpenOperations } from './use-open-operations.ts';
import { useReadAgainAtEnd } from './use-read-again-at-end.ts';

/**
 * In the header while an operation runs, on every page and after a reload: how far it is, and the way to the list. In a
 * narrow window the words would take the room of the workspace's name.
 */
export function OperationsIndicator() {
  const { workspace } = usePlace();
  const operations = useOpenOperations(workspace.id);
  useReadAgainAtEnd(operations);
  const [operation, ...others] = operations;
  if (operation === undefined) return null;
  const share = `${Math.floor(progressOf(operation) * 100)}%`;
  const words = others.length > 0 ? `${others.length + 1} operations` : `${TYPE_WORDS[operation.type]} ${share}`;
  return (
    <ButtonLink
      variant="light"
      size="compact-sm"
      leftSection={<Loader size={12} />}
      aria-label={`${words}, running`}
      from="/w/$workspace/$environment"
      to="/w/$workspace/$environment/operations"
    >
      <Text span inherit visibleFrom="sm">
        {words}
      </Text>
      <Text span inherit visibleFrom="md" ml={4}>
        running
      </Text>
    </ButtonLink>
  );
}
