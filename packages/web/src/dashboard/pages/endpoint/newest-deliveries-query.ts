import { api } from '../../../client/api.ts';

const NEWEST = 50;

/** The newest deliveries of an endpoint, newest first. `refetchInterval` is in milliseconds. */
export const newestDeliveriesQuery = (workspaceId: string, endpointId: string, refetchInterval: number) =>
  api.queryOptions(
    'get',
    '/api/workspaces/{workspaceId}/deliveries',
    { params: { path: { workspaceId }, query: { endpoint_id: endpointId, limit: NEWEST } } },
    { refetchInterval },
  );
