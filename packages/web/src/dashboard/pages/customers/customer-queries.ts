import { api } from '../../../client/api.ts';
import { byPages } from '../../../client/by-pages.ts';
import type { Place } from '../../place.ts';

const PAGE = 100;

/** The applications of the workspace, newest first, page after page; `search` is a part of a name or an external id. */
export function useCustomers({ workspace }: Place, search: string | undefined) {
  const query = { limit: PAGE, ...(search && { search }) };
  return api.useInfiniteQuery(
    'get',
    '/api/workspaces/{workspaceId}/applications',
    { params: { path: { workspaceId: workspace.id }, query } },
    byPages,
  );
}

export const customerQuery = (workspaceId: string, applicationId: string) =>
  api.queryOptions('get', '/api/workspaces/{workspaceId}/applications/{applicationId}', {
    params: { path: { workspaceId, applicationId } },
  });

/** The application's endpoints in the environment. */
export const customerEndpointsQuery = ({ workspace, environment }: Place, applicationId: string) =>
  api.queryOptions('get', '/api/workspaces/{workspaceId}/applications/{applicationId}/endpoints', {
    params: { path: { workspaceId: workspace.id, applicationId }, query: { environment_id: environment.id } },
  });
