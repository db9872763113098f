import { api } from '../../../client/api.ts';
import type { Place } from '../../place.ts';

/** Every endpoint of the environment, oldest first. */
export const endpointsQuery = ({ workspace, environment }: Place) =>
  api.queryOptions('get', '/api/workspaces/{workspaceId}/endpoints', {
    params: { path: { workspaceId: workspace.id }, query: { environment_id: environment.id } },
  });

export const endpointQuery = (workspaceId: string, id: string) =>
  api.queryOptions('get', '/api/workspaces/{workspaceId}/endpoints/{id}', { params: { path: { workspaceId, id } } });

export const subscriptionsQuery = (workspaceId: string, id: string) =>
  api.queryOptions('get', '/api/workspaces/{workspaceId}/endpoints/{id}/subscriptions', {
    params: { path: { workspaceId, id } },
  });
