import { api } from '../../../client/api.ts';
import type { Place } from '../../place.ts';

const NAMES = 100;
const NAMES_FRESH_MS = 60_000;

/** Every endpoint of the environment, oldest first. */
export const endpointsQuery = ({ workspace, environment }: Place) =>
  api.queryOptions('get', '/api/workspaces/{workspaceId}/endpoints', {
    params: { path: { workspaceId: workspace.id }, query: { environment_id: environment.id } },
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
