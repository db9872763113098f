import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from '../../client/api.ts';
import { isGone } from '../../client/api-error.ts';
import { byPages, readAgain } from '../../client/by-pages.ts';
import type { Operation } from '../../client/resources.ts';
import { isOpen } from '../../components/operation/operation-words.ts';
import { useTablePages } from '../../components/use-table-pages.ts';

const PAGE = 100;
/** The most operations of a workspace that have not ended. */
const MAX_OPEN = 10;
const OPEN_EVERY_MS = 1_500;
const IDLE_EVERY_MS = 30_000;

const LIST = '/api/workspaces/{workspaceId}/operations';

/** The key with which every list of operations begins. Use it to refetch them all. */
export const OPERATION_LISTS = ['get', LIST] as const;

/** The operations with this status that have not ended. Refetched often while there are any. */
export const openOperationsQuery = (workspaceId: string, status: 'counting' | 'running') =>
  api.queryOptions(
    'get',
    LIST,
    { params: { path: { workspaceId }, query: { status, limit: MAX_OPEN } } },
    {
      refetchInterval: ({ state }: { state: { data: { operations: unknown[] } | undefined } }) =>
        state.data && state.data.operations.length > 0 ? OPEN_EVERY_MS : IDLE_EVERY_MS,
    },
  );

/** One operation. Refetched often until it has ended. */
export const operationQuery = (workspaceId: string, id: string) =>
  api.queryOptions(
    'get',
    '/api/workspaces/{workspaceId}/operations/{id}',
    { params: { path: { workspaceId, id } } },
    {
      refetchInterval: ({ state }: { state: { data: Operation | undefined; error: unknown } }) =>
        isGone(state.error) || (state.data && !isOpen(state.data)) ? false : OPEN_EVERY_MS,
    },
  );

/** Refetches an operation and the lists after a change. */
export function useReadOperationAgain(workspaceId: string): (id: string) => Promise<unknown> {
  const queryClient = useQueryClient();
  return (id) =>
    Promise.all([
      readAgain(queryClient, OPERATION_LISTS),
      readAgain(queryClient, operationQuery(workspaceId, id).queryKey),
    ]);
}

export type OperationFilters = { status?: Operation['status']; endpoint?: string };

/**
 * The operations of the workspace, newest first, page by page. `rows` has their current state: operations that the list
 * shows as open are read one by one until they have ended, so the pages need no refetch.
 */
export function useOperations(workspaceId: string, { status, endpoint }: OperationFilters) {
  const query = { limit: PAGE, ...(status && { status }), ...(endpoint && { endpoint_id: endpoint }) };
  const params = { path: { workspaceId }, query };
  const list = api.useInfiniteQuery('get', LIST, { params }, byPages);
  const pages = useTablePages([...OPERATION_LISTS, { params }], list, operationsOf);
  const listed = pages.state.rows;
  const asked = listed?.filter(isOpen).slice(0, MAX_OPEN) ?? [];
  const present = useQueries({
    queries: asked.map(({ id }) => operationQuery(workspaceId, id)),
    combine: presentOf,
  });
  const rows = useMemo(() => listed?.map((row) => present.get(row.id) ?? row), [listed, present]);
  return { list, pages, rows };
}

const operationsOf = ({ operations }: { operations: readonly Operation[] }) => operations;

function presentOf(answers: readonly { data: Operation | undefined }[]): ReadonlyMap<string, Operation> {
  return new Map(answers.flatMap(({ data }) => (data === undefined ? [] : [[data.id, data]])));
}
