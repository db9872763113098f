import { queryOptions } from '@tanstack/react-query';
import { api, client } from '../../../client/api.ts';
import type { EndpointStats } from '../../../client/resources.ts';
import type { Place } from '../../place.ts';

const NAMES = 100;
const NAMES_FRESH_MS = 60_000;

/** Every endpoint of the environment, oldest first. */
export const endpointsQuery = ({ workspace, environment }: Place) =>
  api.queryOptions('get', '/api/workspaces/{workspaceId}/endpoints', {
    params: { path: { workspaceId: workspace.id }, query: { environment_id: environment.id } },
  });

/** How each endpoint of the environment fared in the last 24 hours, by its id. It comes after the list itself. */
export const endpointStatsQuery = ({ workspace, environment }: Place) =>
  queryOptions({
    queryKey: ['endpoint stats', environment.id],
    queryFn: async (): Promise<ReadonlyMap<string, EndpointStats>> => {
      const params = {
        path: { workspaceId: workspace.id },
        query: { environment_id: environment.id, include: 'stats' as const },
      };
      const { data } = await client.GET('/api/workspaces/{workspaceId}/endpoints', { params });
      return new Map((data ?? []).flatMap(({ id, stats }) => (stats === undefined ? [] : [[id, stats] as const])));
    },
    staleTime: NAMES_FRESH_MS,
  });

/** The first endpoints of the environment, for filters and for the URLs of a list. */
export const endpointNamesQuery = ({ workspace, environment }: Place) =>
  api.queryOptions(
    'get',
    '/api/workspaces/{workspaceId}/endpoints',
    { params: { path: { workspaceId: workspace.id }, query: { environment_id: environment.id, limit: NAMES } } },
    { staleTime: NAMES_FRESH_MS },
  );

export const endpointQuery = (workspaceId: string, id: string) =>
  api.queryOptions('get', '/api/workspaces/{workspaceId}/endpoints/{id}', { params: { path: { workspaceId, id } } });

export const subscriptionsQuery = (workspaceId: string, id: string) =>
  api.queryOptions('get', '/api/workspaces/{workspaceId}/endpoints/{id}/subscriptions', {
    params: { path: { workspaceId, id } },
  });
