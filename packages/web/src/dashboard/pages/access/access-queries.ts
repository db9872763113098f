import { api } from '../../../client/api.ts';
import { byPages } from '../../../client/by-pages.ts';
import type { AgentSubscription } from '../../../client/resources.ts';
import { useTablePages } from '../../../components/use-table-pages.ts';
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

/** The newest page of keys. There are a few hundred at most. */
export const agentKeysQuery = ({ workspace, environment }: Place) =>
  api.queryOptions('get', '/api/workspaces/{workspaceId}/agent-keys', {
    params: { path: { workspaceId: workspace.id }, query: { environment_id: environment.id, limit: 100 } },
  });

const SUBSCRIPTIONS = '/api/workspaces/{workspaceId}/agent-subscriptions';

/** The key that every list of agents' subscriptions begins with. */
export const AGENT_SUBSCRIPTIONS = ['get', SUBSCRIPTIONS] as const;

/** What agents have subscribed to in the environment, of all customers or of one, newest first, page after page. */
export function useAgentSubscriptions({ workspace, environment }: Place, applicationId: string | undefined) {
  const query = { environment_id: environment.id, limit: 100, ...(applicationId && { application_id: applicationId }) };
  const params = { path: { workspaceId: workspace.id }, query };
  const list = api.useInfiniteQuery('get', SUBSCRIPTIONS, { params }, byPages);
  return { list, pages: useTablePages([...AGENT_SUBSCRIPTIONS, { params }], list, subscriptionsOf) };
}

const subscriptionsOf = ({ agentSubscriptions }: { agentSubscriptions: readonly AgentSubscription[] }) =>
  agentSubscriptions;
