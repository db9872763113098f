import { useInfiniteQuery } from '@tanstack/react-query';
import { api, client } from '../../../client/api.ts';
import { isGone } from '../../../client/api-error.ts';
import { everyPage } from '../../../client/by-pages.ts';
import type { Event } from '../../../client/resources.ts';
import type { PayloadQuery } from '../../../components/payload-panel.tsx';
import { spanAround } from '../../../components/time-range.ts';
import { useTablePages } from '../../../components/use-table-pages.ts';
import type { operations } from '../../../generated/api.ts';
import { pagesSince } from '../../pages-since.ts';
import type { Place } from '../../place.ts';
import type { EventsSearch } from './events-search.ts';

const PAGE = 100;
const OPEN_EVERY_MS = 2_000;
const WAITING_EVERY_MS = 10_000;

const LIST = '/api/workspaces/{workspaceId}/events';

/** The key with which every list of events begins. */
export const EVENT_LISTS = ['get', LIST] as const;

/**
 * The events of the environment that match the filters, newest first, page by page. With `value`, those with this
 * payload value.
 */
export function useEvents({ workspace, environment }: Place, search: EventsSearch, value: string | undefined) {
  const path = { workspaceId: workspace.id };
  const around = spanAround(search.at);
  const since = around === undefined ? search.since : undefined;
  const query = {
    limit: PAGE,
    environment_id: environment.id,
    ...(search.type && { event_type: search.type }),
    ...(search.status && { status: search.status }),
    ...(search.key && { idempotency_key: search.key }),
    ...(search.customer && { application_id: search.customer }),
    ...around,
  };
  const queryKey = [...EVENT_LISTS, { path, query, since, value }];
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
  return { list, pages: useTablePages(queryKey, list, eventsOf) };
}

const SEARCH = '/api/workspaces/{workspaceId}/events/search';

type Filters = NonNullable<operations['listDashboardEvents']['parameters']['query']>;

/**
 * The list's filters in the form of a search request. They go into its body, so that no value appears in an address.
 */
function searchOf({ environment_id, application_id, event_type, idempotency_key, search, ...same }: Filters) {
  return {
    ...same,
    ...(environment_id && { environmentId: environment_id }),
    ...(application_id && { applicationId: application_id }),
    ...(event_type && { eventType: event_type }),
    ...(idempotency_key && { idempotencyKey: idempotency_key }),
  };
}

const eventsOf = ({ events }: { events: readonly Event[] }) => events;

/** An event with its delivery counts. Refetched while one of its deliveries is open. */
export const eventQuery = (workspaceId: string, id: string) =>
  api.queryOptions(
    'get',
    '/api/workspaces/{workspaceId}/events/{id}',
    { params: { path: { workspaceId, id } } },
    {
      refetchInterval: ({ state }: { state: { data: Event | undefined; error: unknown } }) =>
        isGone(state.error) ? false : refetchAfter(state.data),
    },
  );

/** The key with which the payload of every event and every delivery begins. */
export const PAYLOADS = ['payload'] as const;

/** The payload of an event. Reading it adds an entry to the audit log, so request it only to show it. */
export const eventPayloadQuery = (workspaceId: string, id: string): PayloadQuery => ({
  queryKey: [...PAYLOADS, id],
  queryFn: async () => {
    const params = { path: { workspaceId, id }, query: { include: 'payload' as const } };
    const { data } = await client.GET('/api/workspaces/{workspaceId}/events/{id}', { params });
    return data?.payload ?? null;
  },
  staleTime: Number.POSITIVE_INFINITY,
});

/** The prefix of the keys of an event's traces. */
export const traceQueryKey = (workspaceId: string, id: string) =>
  ['get', '/api/workspaces/{workspaceId}/events/{id}/trace', { params: { path: { workspaceId, id } } }] as const;

/**
 * The endpoints that got the event, or those that did not, page by page. The state of `event` sets the refetch
 * interval.
 */
export function useTrace(workspaceId: string, event: Event, decision: 'matched' | 'skipped') {
  return api.useInfiniteQuery(
    'get',
    '/api/workspaces/{workspaceId}/events/{id}/trace',
    { params: { path: { workspaceId, id: event.id }, query: { decision, limit: PAGE } } },
    {
      initialPageParam: null,
      getNextPageParam: ({ nextCursor }) => nextCursor,
      refetchInterval: ({ state }) =>
        decision === 'matched' || isUnmatchedYet(event) ? everyPage(refetchAfter(event), state.data) : false,
    },
  );
}

function isUnmatchedYet({ status }: Event): boolean {
  return status === 'matching' || status === 'scheduled';
}

function refetchAfter(event: Event | undefined): number | false {
  if (event === undefined) return false;
  if (event.status === 'scheduled') return WAITING_EVERY_MS;
  if (event.status === 'matching' || event.deliveries.pending + event.deliveries.delivering > 0) return OPEN_EVERY_MS;
  return event.deliveries.scheduled_retry > 0 ? WAITING_EVERY_MS : false;
}
