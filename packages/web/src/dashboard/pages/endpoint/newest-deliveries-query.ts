import { api } from '../../../client/api.ts';

const NEWEST = 50;
const EVERY_MS = 2_000;

/** The newest deliveries of an endpoint, newest first, asked for again every two seconds. */
export const newestDeliveriesQuery = (workspaceId: string, endpointId: string) =>
  api.queryOptions(
    'get',
    '/api/workspaces/{workspaceId}/deliveries',
    { params: { path: { workspaceId }, query: { endpoint_id: endpointId, limit: NEWEST } } },
    { refetchInterval: EVERY_MS },
  );
