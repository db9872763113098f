import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { api, client } from '../client/api.ts';
import { byPages, readFirstPage } from '../client/by-pages.ts';
import { showEvents } from '../client/changed-rows.ts';
import type { Event } from '../client/resources.ts';
import { useTablePages } from '../components/use-table-pages.ts';

/** The rows of a page. A request with a search looks through at least this many of the newest messages. */
export const PAGE = 100;
const LIST = '/api/portal/events';
const SEARCH = '/api/portal/events/search';
const FIRST: string | null = null;

/**
 * The events that reached the customer or were sent to it, newest first, page by page: all of them, those of a type, or
 * those with the payload value `value`. `showNewest` restarts from the first page. `readNewest` only reads that page:
 * it updates listed messages, and returns all messages of the page, or none when the request failed. After both, the
 * lists of other types restart when they are chosen.
 */
export function useMessages(eventType: string | null, value: string) {
  const queryClient = useQueryClient();
  const params = useMemo(() => ({ query: { limit: PAGE, ...(eventType && { event_type: eventType }) } }), [eventType]);
  const all = api.useInfiniteQuery('get', LIST, { params }, { ...byPages, enabled: value === '' });
  const found = useInfiniteQuery({
    ...byPages,
    queryKey: ['post', SEARCH, eventType, value],
    initialPageParam: FIRST,
    enabled: value !== '',
    retry: false,
    queryFn: async ({ pageParam: cursor, signal }) => {
      const body = { search: [value], limit: PAGE, ...(eventType && { eventType }), ...(cursor && { cursor }) };
      const { data } = await client.POST(SEARCH, { signal, body });
      if (data === undefined) throw new Error('The answer is not a list');
      return data;
    },
  });
  const list = value === '' ? all : found;
  const queryKey = useMemo(
    () => (value === '' ? ['get', LIST, { params }] : ['post', SEARCH, eventType, value]),
    [params, eventType, value],
  );
  // Other lists could lack messages that the page no longer counts as new, or that the live view did not report.
  const dropOtherLists = useCallback(
    () => queryClient.removeQueries({ queryKey: ['get', LIST], type: 'inactive' }),
    [queryClient],
  );
  const showNewest = useCallback(() => {
    dropOtherLists();
    return readFirstPage(queryClient, queryKey);
  }, [queryClient, queryKey, dropOtherLists]);
  const readNewest = useCallback(async () => {
    dropOtherLists();
    const queryFn = async () => (await client.GET(LIST, { params })).data?.events ?? [];
    const events = await queryClient
      .fetchQuery({ queryKey: ['newest messages', params], queryFn, staleTime: 0 })
      .catch(() => []);
    showEvents(queryClient, queryKey, events);
    return events.map(({ id, eventTypeName }) => ({ id, type: eventTypeName }));
  }, [queryClient, queryKey, params, dropOtherLists]);
  return { list, pages: useTablePages(queryKey, list, eventsOf), showNewest, readNewest };
}

const eventsOf = ({ events }: { events: readonly Event[] }) => events;
