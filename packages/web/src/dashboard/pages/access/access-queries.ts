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

export const agentSettingsQuery = ({ workspace, environment }: Place) =>
  api.queryOptions('get', '/api/workspaces/{workspaceId}/environments/{environmentId}/agents', {
    params: { path: { workspaceId: workspace.id, environmentId: environment.id } },
  });

/** The newest page of keys: there are at most some hundred. */
export const agentKeysQuery = ({ workspace, environment }: Place) =>
  api.queryOptions('get', '/api/workspaces/{workspaceId}/agent-keys', {
    params: { path: { workspaceId: workspace.id }, query: { environment_id: environment.id, limit: 100 } },
  });

export const agentSubscriptionsQuery = ({ workspace, environment }: Place, applicationId?: string) =>
  api.queryOptions('get', '/api/workspaces/{workspaceId}/agent-subscriptions', {
    params: {
      path: { workspaceId: workspace.id },
      query: {
        environment_id: environment.id,
        limit: 100,
        ...(applicationId === undefined ? {} : { application_id: applicationId }),
      },
    },
  });
