import type { QueryClient } from '@tanstack/react-query';
import { api } from '../../../client/api.ts';
import type { Place } from '../../place.ts';

/** A page that shows one endpoint asks for it again after this time, so that an automatic deactivation is seen. */
export const ENDPOINT_EVERY_MS = 10_000;

/** Every endpoint of the environment, oldest first. */
export const endpointsQuery = ({ workspace, environment }: Place) =>
  api.queryOptions('get', '/api/workspaces/{workspaceId}/endpoints', {
    params: { path: { workspaceId: workspace.id }, query: { environment_id: environment.id } },
  });

/** The kinds of endpoints. They change with the version of the service only. */
export const endpointTypesQuery = (workspaceId: string) =>
  api.queryOptions(
    'get',
    '/api/workspaces/{workspaceId}/endpoint-types',
    { params: { path: { workspaceId } } },
    { staleTime: Number.POSITIVE_INFINITY },
  );

export const endpointQuery = (workspaceId: string, id: string) =>
  api.queryOptions('get', '/api/workspaces/{workspaceId}/endpoints/{id}', { params: { path: { workspaceId, id } } });

/** The endpoint with its last 24 hours. Read again now and then, so that the first attempt is seen. */
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

/** The beginning of the keys of all statistics that lists of endpoints show. */
export const ENDPOINT_STATS = ['endpoint stats'] as const;

/** Reads the subscriptions of an endpoint again, and what says whether it has any. */
export function readSubscriptionsAgain(queryClient: QueryClient, workspaceId: string, id: string) {
  const keys = [
    subscriptionsQuery(workspaceId, id).queryKey,
    endpointWithStatsQuery(workspaceId, id).queryKey,
    ENDPOINT_STATS,
  ];
  return Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}
