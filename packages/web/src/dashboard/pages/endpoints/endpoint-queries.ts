import type { QueryClient } from '@tanstack/react-query';
import { api } from '../../../client/api.ts';
import type { Place } from '../../place.ts';

/** A page that shows one endpoint asks for it again after this time, so that an automatic deactivation is seen. */
export const ENDPOINT_EVERY_MS = 10_000;

/** All endpoints of the environment, oldest first. */
export const endpointsQuery = ({ workspace, environment }: Place) =>
  api.queryOptions('get', '/api/workspaces/{workspaceId}/endpoints', {
    params: { path: { workspaceId: workspace.id }, query: { environment_id: environment.id } },
  });

/** The kinds of endpoints. They only change with the version of the service. */
export const endpointTypesQuery = (workspaceId: string) =>
  api.queryOptions(
    'get',
    '/api/workspaces/{workspaceId}/endpoint-types',
    { params: { path: { workspaceId } } },
    { staleTime: Number.POSITIVE_INFINITY },
  );

export const endpointQuery = (workspaceId: string, id: string) =>
  api.queryOptions('get', '/api/workspaces/{workspaceId}/endpoints/{id}', { params: { path: { workspaceId, id } } });

/** The endpoint with its last 24 hours. Refetched regularly, so that its first attempt appears. */
export const endpointWithStatsQuery = (workspaceId: string, id: string) =>
  api.queryOptions(
    'get',
    '/api/workspaces/{workspaceId}/endpoints/{id}',
    { params: { path: { workspaceId, id }, query: { include: 'stats' } } },
    { refetchInterval: ENDPOINT_EVERY_MS },
  );

export const subscriptionsQuery = (workspaceId: string, id: string) =>
  api.queryOptions('get', '/api/workspaces/{workspaceId}/endpoints/{id}/subscriptions', {
    params: { path: { workspaceId, id } },
  });

/** The prefix of the keys of all statistics in lists of endpoints. */
export const ENDPOINT_STATS = ['endpoint stats'] as const;

/** Refetches an endpoint's subscriptions, and the queries that show whether it has any. */
export function readSubscriptionsAgain(queryClient: QueryClient, workspaceId: string, id: string) {
  const keys = [
    subscriptionsQuery(workspaceId, id).queryKey,
    endpointWithStatsQuery(workspaceId, id).queryKey,
    ENDPOINT_STATS,
  ];
  return Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}
