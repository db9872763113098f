import { useInfiniteQuery } from '@tanstack/react-query';
import { api, client } from '../../../client/api.ts';
import { isGone } from '../../../client/api-error.ts';
import type { Delivery, DeliveryDetail } from '../../../client/resources.ts';
import type { PayloadQuery } from '../../../components/payload-panel.tsx';
import { spanAround } from '../../../components/time-range.ts';
import { useTablePages } from '../../../components/use-table-pages.ts';
import type { operations } from '../../../generated/api.ts';
import { pagesSince } from '../../pages-since.ts';
import type { Place } from '../../place.ts';
import { PAYLOADS } from '../events/event-queries.ts';
import type { DeliveriesSearch } from './deliveries-search.ts';

const PAGE = 100;
const OPEN_EVERY_MS = 2_000;
const WAITING_EVERY_MS = 5_000;

const LIST = '/api/workspaces/{workspaceId}/deliveries';

/** The key with which every list of deliveries begins. */
export const DELIVERY_LISTS = ['get', LIST] as const;

/**
 * The deliveries of the environment that match the filters, newest first, page by page. With `value`, those of events
 * with this payload value.
 */
export function useDeliveries({ workspace, environment }: Place, search: DeliveriesSearch, value?: string) {
  const path = { workspaceId: workspace.id };
  const around = spanAround(search.at);
  const since = around === undefined ? search.since : undefined;
  const query = {
    limit: PAGE,
    environment_id: environment.id,
    ...(search.status && { status: search.status }),
    ...(search.endpoint && { endpoint_id: search.endpoint }),
    ...(search.customer && { application_id: search.customer }),
    ...(search.type && { event_type: search.type }),
    ...around,
  };
  const queryKey = [...DELIVERY_LISTS, { path, query, since, value }];
  const list = useInfiniteQuery({
    queryKey,
    ...pagesSince(since, (page, signal) =>
      value === undefined
        ? client.GET(LIST, { signal, params: { path, query: { ...query, ...page } } })
        : client.POST(SEARCH, {
            signal,
            params: { path },
            body: { ...searchOf(query), limit: PAGE, ...page, search: [value] },
          }),
    ),
  });
  return { list, pages: useTablePages(queryKey, list, deliveriesOf) };
}

const SEARCH = '/api/workspaces/{workspaceId}/deliveries/search';

type Filters = NonNullable<operations['listDashboardDeliveries']['parameters']['query']>;

/**
 * The list's filters in the form of a search request. They go into its body, so that no value appears in an address.
 */
function searchOf({ environment_id, endpoint_id, application_id, event_type, search, ...same }: Filters) {
  return {
    ...same,
    ...(environment_id && { environmentId: environment_id }),
    ...(endpoint_id && { endpointId: endpoint_id }),
    ...(application_id && { applicationId: application_id }),
    ...(event_type && { eventType: event_type }),
  };
}

const deliveriesOf = ({ deliveries }: { deliveries: readonly Delivery[] }) => deliveries;

const ONE = '/api/workspaces/{workspaceId}/deliveries/{id}';

/** The key with which every delivery with its attempts begins. */
export const DELIVERIES = ['get', ONE] as const;

/** The key of a delivery's attempts where they are read on their own. They may include the body that was sent. */
export const ATTEMPTS = ['attempts'] as const;

/** A delivery with its attempts. Refetched while it is open. */
export const deliveryQuery = (workspaceId: string, id: string) =>
  api.queryOptions(
    'get',
    ONE,
    { params: { path: { workspaceId, id }, query: { include: ['attempts'] } } },
    {
      refetchInterval: ({ state }: { state: { data: DeliveryDetail | undefined; error: unknown } }) =>
        isGone(state.error) ? false : refetchAfter(state.data),
    },
  );

/** The payload of a delivery. Reading it adds an entry to the audit log, so request it only to show it. */
export const payloadQuery = (workspaceId: string, id: string): PayloadQuery => ({
  queryKey: [...PAYLOADS, id],
  queryFn: async () => {
    const params = { path: { workspaceId, id }, query: { include: ['payload' as const] } };
    const { data } = await client.GET(ONE, { params });
    return data?.payload ?? null;
  },
  staleTime: Number.POSITIVE_INFINITY,
});

function refetchAfter(delivery: DeliveryDetail | undefined): number | false {
  switch (delivery?.status) {
    case 'pending':
    case 'delivering':
      return OPEN_EVERY_MS;
    case 'scheduled_retry':
      return WAITING_EVERY_MS;
    default:
      return false;
  }
}
