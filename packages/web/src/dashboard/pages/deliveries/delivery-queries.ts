import { useMemo } from 'react';
import { api, client } from '../../../client/api.ts';
import { byPages } from '../../../client/by-pages.ts';
import type { DeliveryDetail } from '../../../client/resources.ts';
import { nowMs } from '../../../clock.ts';
import type { PayloadQuery } from '../../../components/payload-panel.tsx';
import { startOf } from '../../../components/time-range.ts';
import type { Place } from '../../place.ts';
import type { DeliveriesSearch } from './deliveries-search.ts';

const PAGE = 100;
const OPEN_EVERY_MS = 2_000;
const WAITING_EVERY_MS = 5_000;

/** The deliveries of the environment that match the filters, newest first, page after page. */
export function useDeliveries({ workspace, environment }: Place, search: DeliveriesSearch) {
  const from = useMemo(() => startOf(search.since, nowMs()), [search.since]);
  const query = {
    limit: PAGE,
    environment_id: environment.id,
    ...(search.status && { status: search.status }),
    ...(search.endpoint && { endpoint_id: search.endpoint }),
    ...(search.type && { event_type: search.type }),
    ...(from && { from }),
  };
  return api.useInfiniteQuery(
    'get',
    '/api/workspaces/{workspaceId}/deliveries',
    { params: { path: { workspaceId: workspace.id }, query } },
    byPages,
  );
}

/** A delivery with its attempts; asked for again while it is open. */
export const deliveryQuery = (workspaceId: string, id: string) =>
  api.queryOptions(
    'get',
    '/api/workspaces/{workspaceId}/deliveries/{id}',
    { params: { path: { workspaceId, id }, query: { include: ['attempts'] } } },
    { refetchInterval: ({ state }: { state: { data: DeliveryDetail | undefined } }) => refetchAfter(state.data) },
  );

/** The payload of a delivery. Reading it is entered in the audit log, so it is asked for only when it is to be shown. */
export const payloadQuery = (workspaceId: string, id: string): PayloadQuery => ({
  queryKey: ['payload', id],
  queryFn: async () => {
    const params = { path: { workspaceId, id }, query: { include: ['payload' as const] } };
    const { data } = await client.GET('/api/workspaces/{workspaceId}/deliveries/{id}', { params });
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
