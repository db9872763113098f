import { api } from '../../../client/api.ts';
import type { Place } from '../../place.ts';

export const apiKeysQuery = ({ workspace, environment }: Place) =>
  api.queryOptions('get', '/api/workspaces/{workspaceId}/environments/{environmentId}/api-keys', {
    params: { path: { workspaceId: workspace.id, environmentId: environment.id } },
  });

export const tokensQuery = ({ workspace }: Place) =>
  api.queryOptions('get', '/api/workspaces/{workspaceId}/management-tokens', {
    params: { path: { workspaceId: workspace.id } },
  });

export const membersQuery = ({ workspace }: Place) =>
  api.queryOptions('get', '/api/workspaces/{workspaceId}/members', {
    params: { path: { workspaceId: workspace.id } },
  });
