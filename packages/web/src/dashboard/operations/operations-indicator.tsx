import { Loader, Text } from '@mantine/core';
import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { readAgain } from '../../client/by-pages.ts';
import type { Operation } from '../../client/resources.ts';
import { ButtonLink } from '../../components/links.tsx';
import { activityWords } from '../../components/operation/operation-words.ts';
import { DELIVERY_LISTS } from '../pages/deliveries/delivery-queries.ts';
import { EVENT_LISTS } from '../pages/events/event-queries.ts';
import { usePlace } from '../place.ts';
import { OPERATION_LISTS, openOperationsQuery } from './operation-queries.ts';

/**
 * Shown in the header while an operation is open, on every page and after a reload: its current activity, and a link to
 * the list. A narrow window has no room for the words.
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

/** The operations of the workspace that have not ended, newest first. */
function useOpenOperations(workspaceId: string): readonly Operation[] {
  return useQueries({
    queries: [openOperationsQuery(workspaceId, 'counting'), openOperationsQuery(workspaceId, 'running')],
    combine: (answers) => answers.flatMap(({ data }) => data?.operations ?? []),
  });
}

/** Refetches the lists when an open operation has ended, because it may have changed any of their rows. */
function useReadAgainAtEnd(open: readonly Operation[]): void {
  const queryClient = useQueryClient();
  const before = useRef(open);
  useEffect(() => {
    const hasEnded = before.current.some(({ id }) => !open.some((one) => one.id === id));
    before.current = open;
    if (!hasEnded) return;
    for (const lists of [OPERATION_LISTS, DELIVERY_LISTS, EVENT_LISTS]) void readAgain(queryClient, lists);
  }, [open, queryClient]);
}
