import { useQueries } from '@tanstack/react-query';
import type { Operation } from '../../client/resources.ts';
import { openOperationsQuery } from './operation-queries.ts';

/** The operations of the workspace that have not ended, newest first. */
export function useOpenOperations(workspaceId: string): readonly Operation[] {
  return useQueries({
    queries: [openOperationsQuery(workspaceId, 'counting'), openOperationsQuery(workspaceId, 'running')],
    combine: (answers) => answers.flatMap(({ data }) => data?.operations ?? []),
  });
}
