import { api } from '../../../client/api.ts';
import { byPages } from '../../../client/by-pages.ts';
import type { Application } from '../../../client/resources.ts';
import { useTablePages } from '../../../components/use-table-pages.ts';
import type { Place } from '../../place.ts';

const PAGE = 100;
const LIST = '/api/workspaces/{workspaceId}/applications';

/** The key that every list of customers begins with, to ask for all of them again. */
export const CUSTOMER_LISTS = ['get', LIST] as const;

/** The applications of the workspace, newest first, page after page; `search` is a part of a name or an external id. */
export function useCustomers({ workspace }: Place, search: string | undefined) {
  const query = { limit: PAGE, ...(search && { search }) };
  const params = { path: { workspaceId: workspace.id }, query };
  const list = api.useInfiniteQuery('get', LIST, { params }, byPages);
  return useTablePages([...CUSTOMER_LISTS, { params }], list, applicationsOf);
}

const applicationsOf = ({ applications }: { applications: readonly Application[] }) => applications;

export const customerQuery = (workspaceId: string, applicationId: string) =>
  api.queryOptions('get', '/api/workspaces/{workspaceId}/applications/{applicationId}', {
    params: { path: { workspaceId, applicationId } },
  });

/** The application's endpoints in the environment. */
export const customerEndpointsQuery = ({ workspace, environment }: Place, applicationId: string) =>
  api.queryOptions('get', '/api/workspaces/{workspaceId}/applications/{applicationId}/endpoints', {
    params: { path: { workspaceId: workspace.id, applicationId }, query: { environment_id: environment.id } },
  });
