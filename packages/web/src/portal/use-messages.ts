import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { api, client } from '../client/api.ts';
import { byPages, readFirstPage } from '../client/by-pages.ts';
import { showEvents } from '../client/changed-rows.ts';
import type { Event } from '../client/resources.ts';
import { useTablePages } from '../components/use-table-pages.ts';

const PAGE = 100;
const LIST = '/api/portal/events';

/**
 * The events that reached the customer or were sent to it, or those of a type, newest first, page after page. `showNewest`
 * begins again with the first page; other lists do so when they are chosen. `readNewest` reads that page alone: listed
 * messages get its counts, and the answer is all in it, or none when it could not be read.
 */
export function useMessages(eventType: string | null) {
  const queryClient = useQueryClient();
  const params = useMemo(() => ({ query: { limit: PAGE, ...(eventType && { event_type: eventType }) } }), [eventType]);
  const list = api.useInfiniteQuery('get', LIST, { params }, byPages);
  const queryKey = useMemo(() => ['get', LIST, { params }], [params]);
  const showNewest = useCallback(() => {
    // The page forgets which messages were new: a cached list could lack them, and the page would not say so.
    queryClient.removeQueries({ queryKey: ['get', LIST], type: 'inactive' });
    return readFirstPage(queryClient, queryKey);
  }, [queryClient, queryKey]);
  const readNewest = useCallback(async () => {
    const queryFn = async () => (await client.GET(LIST, { params })).data?.events ?? [];
    const events = await queryClient
      .fetchQuery({ queryKey: ['newest messages', params], queryFn, staleTime: 0 })
      .catch(() => []);
    showEvents(queryClient, queryKey, events);
    return events.map(({ id, eventTypeName }) => ({ id, type: eventTypeName }));
  }, [queryClient, queryKey, params]);
  return { pages: useTablePages(queryKey, list, eventsOf), showNewest, readNewest };
}

const eventsOf = ({ events }: { events: readonly Event[] }) => events;
