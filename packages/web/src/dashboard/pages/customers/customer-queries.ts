import { useQueries } from '@tanstack/react-query';
import { api } from '../../../client/api.ts';
import { byPages } from '../../../client/by-pages.ts';
import type { CustomerRead } from '../../../client/resources.ts';
import { useTablePages } from '../../../components/use-table-pages.ts';
import type { Place } from '../../place.ts';

const PAGE = 100;
const LIST = '/api/workspaces/{workspaceId}/applications';

/** The key with which every list of customers begins. Use it to refetch them all. */
export const CUSTOMER_LISTS = ['get', LIST] as const;

export type CustomerSearch = { search?: string; order?: 'newest' };

/**
 * The applications of the workspace with their state in the environment, page by page: those with the most problems
 * first, or the newest. `search` is a part of a name or an external id.
 */
export function useCustomers({ workspace, environment }: Place, { search, order }: CustomerSearch) {
  const query = {
    ...{ limit: PAGE, include: 'health' as const, environment_id: environment.id },
    ...(order === undefined && { sort: 'trouble' as const }),
    ...(search && { search }),
  };
  const params = { path: { workspaceId: workspace.id }, query };
  const list = api.useInfiniteQuery('get', LIST, { params }, byPages);
  return useTablePages([...CUSTOMER_LISTS, { params }], list, applicationsOf);
}

const applicationsOf = ({ applications }: { applications: readonly CustomerRead[] }) => applications;

export const customerQuery = (workspaceId: string, applicationId: string) =>
  api.queryOptions('get', '/api/workspaces/{workspaceId}/applications/{applicationId}', {
    params: { path: { workspaceId, applicationId } },
  });

/** The key with which every list of a customer's endpoints begins. */
export const CUSTOMER_ENDPOINTS = [
  'get',
  '/api/workspaces/{workspaceId}/applications/{applicationId}/endpoints',
] as const;

/** The customer's endpoints in the environment. */
export const customerEndpointsQuery = ({ workspace, environment }: Place, applicationId: string) =>
  api.queryOptions('get', '/api/workspaces/{workspaceId}/applications/{applicationId}/endpoints', {
    params: { path: { workspaceId: workspace.id, applicationId }, query: { environment_id: environment.id } },
  });

const EVERY_MS = 10_000;
const SHOWN = 8;
const NOT_DELIVERED = ['dead_letter', 'failed', 'scheduled_retry'] as const;

/** The attempts of the customer's deliveries in the last 24 hours, by hour. */
export const customerStatsQuery = ({ workspace, environment }: Place, applicationId: string) =>
  api.queryOptions(
    'get',
    '/api/workspaces/{workspaceId}/stats',
    {
      params: {
        path: { workspaceId: workspace.id },
        query: { step: 'hour', environment_id: environment.id, application_id: applicationId },
      },
    },
    { refetchInterval: EVERY_MS },
  );

/** The customer's newest events in the environment. */
export const customerEventsQuery = ({ workspace, environment }: Place, applicationId: string) =>
  api.queryOptions(
    'get',
    '/api/workspaces/{workspaceId}/events',
    {
      params: {
        path: { workspaceId: workspace.id },
        query: { environment_id: environment.id, application_id: applicationId, limit: SHOWN },
      },
    },
    { refetchInterval: EVERY_MS },
  );

/**
 * The newest deliveries to the customer in the environment that failed or wait for a retry. Those on their way are left out:
 * of a busy customer they would take the places of the others.
 */
export function useNotDelivered({ workspace, environment }: Place, applicationId: string) {
  const queries = NOT_DELIVERED.map((status) =>
    api.queryOptions(
      'get',
      '/api/workspaces/{workspaceId}/deliveries',
      {
        params: {
          path: { workspaceId: workspace.id },
          query: { environment_id: environment.id, application_id: applicationId, status, limit: SHOWN },
        },
      },
      { refetchInterval: EVERY_MS },
    ),
  );
  return useQueries({
    queries,
    combine: (answers) => {
      const isRead = answers.every(({ data }) => data !== undefined);
      const all = answers.flatMap(({ data }) => data?.deliveries ?? []);
      const newest = all.sort((one, other) => other.createdAt.localeCompare(one.createdAt)).slice(0, SHOWN);
      const error = answers.find((answer) => answer.error !== null)?.error ?? null;
      return {
        data: isRead ? newest : undefined,
        error,
        isFetching: answers.some(({ isFetching }) => isFetching),
        isPlaceholderData: false,
        refetch: () => Promise.all(answers.map(({ refetch }) => refetch())),
      };
    },
  });
}
