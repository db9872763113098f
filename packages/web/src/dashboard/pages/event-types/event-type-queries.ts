import { api } from '../../../client/api.ts';

export const eventTypesQuery = (workspaceId: string) =>
  api.queryOptions('get', '/api/workspaces/{workspaceId}/event-types', { params: { path: { workspaceId } } });

/** For each event type: whether it is published in the environment, and how many endpoints subscribe to it there. */
export const visibilityQuery = (workspaceId: string, environmentId: string) =>
  api.queryOptions('get', '/api/workspaces/{workspaceId}/environments/{environmentId}/event-types', {
    params: { path: { workspaceId, environmentId }, query: { include: 'endpoints' } },
  });
