import { queryOptions } from '@tanstack/react-query';
import { api, client } from '../../../client/api.ts';
import type { Delivery } from '../../../client/resources.ts';
import type { Place } from '../../place.ts';
import { ATTEMPTS } from '../deliveries/delivery-queries.ts';

const EVERY_MS = 1_000;
const SHOWN = 5;

/** The endpoints of the environment that subscribe to a type. */
export const subscribersQuery = ({ workspace, environment }: Place, eventTypeId: string | undefined) =>
  api.queryOptions(
    'get',
    '/api/workspaces/{workspaceId}/endpoints',
    {
      params: {
        path: { workspaceId: workspace.id },
        query: { environment_id: environment.id, event_type_id: eventTypeId ?? '', limit: 100 },
      },
    },
    { enabled: eventTypeId !== undefined },
  );

/** The newest deliveries of an endpoint. Refetched every second. */
export const inboxQuery = ({ workspace }: Place, endpointId: string | undefined) =>
  api.queryOptions(
    'get',
    '/api/workspaces/{workspaceId}/endpoints/{endpointId}/deliveries',
    { params: { path: { workspaceId: workspace.id, endpointId: endpointId ?? '' }, query: { limit: SHOWN } } },
    { enabled: endpointId !== undefined, refetchInterval: EVERY_MS },
  );

/**
 * The attempts of a delivery. Each response has the bodies that were sent, and adds an entry to the audit log. So the
 * attempts are read only once for each new attempt.
 */
export const attemptsQuery = (workspaceId: string, { id, totalAttempts }: Pick<Delivery, 'id' | 'totalAttempts'>) =>
  queryOptions({
    queryKey: [...ATTEMPTS, workspaceId, id, totalAttempts],
    queryFn: async () => {
      const params = { path: { workspaceId, id } };
      const { data } = await client.GET('/api/workspaces/{workspaceId}/deliveries/{id}/attempts', { params });
      return data ?? [];
    },
    enabled: totalAttempts > 0,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (before) => before,
  });
