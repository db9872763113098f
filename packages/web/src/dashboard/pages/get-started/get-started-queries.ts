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

/** The newest deliveries of an endpoint; asked for again every second. */
export const inboxQuery = ({ workspace }: Place, endpointId: string | undefined) =>
  api.queryOptions(
    'get',
    '/api/workspaces/{workspaceId}/endpoints/{endpointId}/deliveries',
    { params: { path: { workspaceId: workspace.id, endpointId: endpointId ?? '' }, query: { limit: SHOWN } } },
    { enabled: endpointId !== undefined, refetchInterval: EVERY_MS },
  );

/**
 * The attempts of a delivery. Each answer shows what was sent and is entered in the audit log, so it is asked for once
 * for each attempt.
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
