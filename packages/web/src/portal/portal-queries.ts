import { keepPreviousData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, client } from '../client/api.ts';
import { isGone } from '../client/api-error.ts';
import { byPages, everyPage, readAgain } from '../client/by-pages.ts';
import { nextCursor } from '../client/next-cursor.ts';
import type { Delivery, EndpointUpdate, Event, Operation } from '../client/resources.ts';
import { deliveryStatuses } from '../components/delivery-statuses.ts';
import { isOpen } from '../components/operation/operation-words.ts';
import { useTablePages } from '../components/use-table-pages.ts';
import type { components } from '../generated/api.ts';
import { isListBehind } from './is-list-behind.ts';

export type PortalEndpoint = components['schemas']['EndpointRead'];

const PAGE = 100;
const FIRST: string | null = null;
const NEWEST = 20;
/** A page that shows one endpoint asks for it again after this time, so that an automatic deactivation is seen. */
export const ENDPOINT_EVERY_MS = 15_000;
const OPEN_EVERY_MS = 2_000;
const OPERATION_EVERY_MS = 1_500;
const WAITING_EVERY_MS = 10_000;

/**
 * The customer's endpoints, oldest first, page by page. `withStats` adds the last 24 hours, and needs
 * `deliveries:read`.
 */
export function useEndpoints(withStats: boolean, enabled = true) {
  return useInfiniteQuery({
    queryKey: ['portal endpoints', withStats],
    queryFn: ({ pageParam }) => readEndpoints(withStats, pageParam),
    initialPageParam: FIRST,
    getNextPageParam: ({ next }) => next,
    enabled,
  });
}

async function readEndpoints(withStats: boolean, cursor: string | null) {
  const query = { limit: PAGE, ...(withStats && { include: 'stats' as const }), ...(cursor && { cursor }) };
  const { data, response } = await client.GET('/api/portal/endpoints', { params: { query } });
  return { endpoints: data ?? [], next: nextCursor(response) };
}

/** The customer's first endpoints, for the addresses in a list. */
export const firstEndpointsQuery = () =>
  api.queryOptions('get', '/api/portal/endpoints', { params: { query: { limit: PAGE } } });

/** One endpoint. `withStats` adds the last 24 hours, and needs `deliveries:read`. */
export const endpointQuery = (id: string, withStats: boolean) =>
  api.queryOptions('get', '/api/portal/endpoints/{id}', {
    params: { path: { id }, query: withStats ? { include: 'stats' } : {} },
  });

export const subscriptionsQuery = (id: string) =>
  api.queryOptions('get', '/api/portal/endpoints/{id}/subscriptions', { params: { path: { id } } });

/** The types of endpoints that the customer may create. They only change with the version of the service. */
export const endpointTypesQuery = () =>
  api.queryOptions('get', '/api/portal/endpoint-types', {}, { staleTime: Number.POSITIVE_INFINITY });

/** The published event types, which the customer can subscribe to. */
export const eventTypesQuery = () => api.queryOptions('get', '/api/portal/event-types');

/** The published types with their schemas and examples. */
export const catalogQuery = () => api.queryOptions('get', '/api/portal/catalog');

/** The messages to one endpoint, optionally with one status, newest first, page by page. */
export function useDeliveries(endpointId: string, status: Delivery['status'] | undefined) {
  const params = { path: { endpointId }, query: { limit: PAGE, ...(status && { status }) } };
  const list = api.useInfiniteQuery('get', DELIVERIES, { params }, byPages);
  return useTablePages(['get', DELIVERIES, { params }], list, deliveriesOf);
}

const DELIVERIES = '/api/portal/endpoints/{endpointId}/deliveries';
const deliveriesOf = ({ deliveries }: { deliveries: readonly Delivery[] }) => deliveries;

/** The newest messages to one endpoint, before the live view reports later ones. */
export const newestDeliveriesQuery = (endpointId: string) =>
  api.queryOptions('get', '/api/portal/endpoints/{endpointId}/deliveries', {
    params: { path: { endpointId }, query: { limit: NEWEST } },
  });

/** The attempts of all endpoints or of one, in steps. The step determines the time span. */
export const statsQuery = (step: 'minute' | 'hour' | 'day', endpointId?: string) =>
  api.queryOptions(
    'get',
    '/api/portal/stats',
    { params: { query: { step, ...(endpointId && { endpoint_id: endpointId }) } } },
    { refetchInterval: ENDPOINT_EVERY_MS, placeholderData: keepPreviousData },
  );

/** The newest recovery of an endpoint. Refetched often until it has ended. */
export const newestOperationQuery = (endpointId: string) =>
  api.queryOptions(
    'get',
    '/api/portal/operations',
    { params: { query: { endpoint_id: endpointId, limit: 1 } } },
    {
      refetchInterval: ({ state }: { state: { data: { operations: Operation[] } | undefined } }) =>
        state.data?.operations.some(isOpen) ? OPERATION_EVERY_MS : false,
    },
  );

/** A message with its delivery counts. Refetched while a delivery is open, or may still be created. */
export const messageQuery = (id: string) =>
  api.queryOptions(
    'get',
    '/api/portal/events/{id}',
    { params: { path: { id } } },
    {
      refetchInterval: ({ state }: { state: { data: Event | undefined; error: unknown } }) =>
        isGone(state.error) ? false : refetchMessage(state.data),
    },
  );

/**
 * The deliveries of a message to the customer's endpoints, page by page. Refetched while one is open or may still be
 * created, and until the list has as many as the message counts.
 */
export function useMessageDeliveries(message: Event) {
  const { id } = message;
  return api.useInfiniteQuery(
    'get',
    '/api/portal/events/{id}/deliveries',
    { params: { path: { id }, query: { limit: PAGE } } },
    {
      initialPageParam: null,
      getNextPageParam: ({ nextCursor }) => nextCursor,
      refetchInterval: ({ state }) => {
        const listed = state.data?.pages.flatMap(({ deliveries }) => deliveries.map(({ status }) => status)) ?? [];
        const everyMs = isListBehind(message, state)
          ? OPEN_EVERY_MS
          : soonest(refetchMessage(message), refetchSoonest(listed));
        return everyPage(everyMs, state.data);
      },
    },
  );
}

/** One delivery with its attempts. Refetched while it is open. */
export const deliveryQuery = (id: string) =>
  api.queryOptions(
    'get',
    '/api/portal/deliveries/{id}',
    { params: { path: { id }, query: { include: ['attempts'] } } },
    {
      refetchInterval: ({ state }: { state: { data: Pick<Delivery, 'status'> | undefined; error: unknown } }) =>
        isGone(state.error) ? false : refetchAfter(state.data?.status),
    },
  );

/** Refetches the data of the visible pages; of a long list, only what is in view. */
export function useReadAgain(): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => readAgain(queryClient);
}

/**
 * Updates an endpoint by a function of its current state. Use it for a part of `config`: an update replaces the whole
 * `config`, and this keeps the changes that others have made meanwhile.
 */
export function useChangeEndpoint(id: string) {
  const queryClient = useQueryClient();
  const onSuccess = useReadAgain();
  return useMutation({
    mutationFn: async (change: (now: PortalEndpoint) => EndpointUpdate) => {
      const now = await queryClient.fetchQuery({ ...endpointQuery(id, false), staleTime: 0 });
      return client.PATCH('/api/portal/endpoints/{id}', { params: { path: { id } }, body: change(now) });
    },
    onSuccess,
  });
}

/** The statuses that the message's deliveries have. */
function statusesOf({ deliveries }: Event): Delivery['status'][] {
  return deliveryStatuses().filter((status) => deliveries[status] > 0);
}

function refetchMessage(message: Event | undefined): number | false {
  if (message === undefined) return false;
  if (message.status === 'matching') return OPEN_EVERY_MS;
  return message.status === 'scheduled' ? WAITING_EVERY_MS : refetchSoonest(statusesOf(message));
}

function refetchSoonest(statuses: readonly Delivery['status'][]): number | false {
  return soonest(...statuses.map(refetchAfter));
}

function soonest(...pauses: readonly (number | false)[]): number | false {
  const some = pauses.filter((pause) => pause !== false);
  return some.length === 0 ? false : Math.min(...some);
}

function refetchAfter(status: Delivery['status'] | undefined): number | false {
  if (status === 'pending' || status === 'delivering') return OPEN_EVERY_MS;
  return status === 'scheduled_retry' ? WAITING_EVERY_MS : false;
}
