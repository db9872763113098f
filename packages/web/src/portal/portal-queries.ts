import { useQueryClient } from '@tanstack/react-query';
import { api } from '../client/api.ts';
import type { Delivery } from '../client/resources.ts';
import type { components } from '../generated/api.ts';

export type PortalEndpoint = components['schemas']['EndpointRead'];

const PAGE = 50;
const OPEN_EVERY_MS = 2_000;
const WAITING_EVERY_MS = 10_000;

/** Every endpoint of the customer, oldest first. */
export const endpointsQuery = () => api.queryOptions('get', '/api/portal/endpoints');

/** One endpoint with how it fared in the last 24 hours. */
export const endpointQuery = (id: string) =>
  api.queryOptions('get', '/api/portal/endpoints/{id}', { params: { path: { id }, query: { include: 'stats' } } });

export const subscriptionsQuery = (id: string) =>
  api.queryOptions('get', '/api/portal/endpoints/{id}/subscriptions', { params: { path: { id } } });

/** The published types: those that can be subscribed to. */
export const eventTypesQuery = () => api.queryOptions('get', '/api/portal/event-types');

/** The messages to one endpoint, newest first, page after page. */
export function useDeliveries(endpointId: string) {
  return api.useInfiniteQuery(
    'get',
    '/api/portal/endpoints/{endpointId}/deliveries',
    { params: { path: { endpointId }, query: { limit: PAGE } } },
    { initialPageParam: null, getNextPageParam: ({ nextCursor }) => nextCursor },
  );
}

/** The events that reached the customer or were sent to it, newest first, page after page. */
export function useMessages() {
  return api.useInfiniteQuery(
    'get',
    '/api/portal/events',
    { params: { query: { limit: PAGE } } },
    { initialPageParam: null, getNextPageParam: ({ nextCursor }) => nextCursor },
  );
}

/** One delivery with its attempts; asked for again while it is open. */
export const deliveryQuery = (id: string) =>
  api.queryOptions(
    'get',
    '/api/portal/deliveries/{id}',
    { params: { path: { id }, query: { include: ['attempts'] } } },
    {
      refetchInterval: ({ state }: { state: { data: Pick<Delivery, 'status'> | undefined } }) =>
        refetchAfter(state.data?.status),
    },
  );

/** Makes every page that shows endpoints read them again. */
export function useReadAgain(): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries();
}

function refetchAfter(status: Delivery['status'] | undefined): number | false {
  if (status === 'pending' || status === 'delivering') return OPEN_EVERY_MS;
  return status === 'scheduled_retry' ? WAITING_EVERY_MS : false;
}
