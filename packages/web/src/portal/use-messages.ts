import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { api, client } from '../client/api.ts';
import { byPages, readAgain } from '../client/by-pages.ts';
import { showEvents } from '../client/changed-rows.ts';

const PAGE = 100;
const LIST = '/api/portal/events';

/**
 * The events that reached the customer or were sent to it, or those of a type, newest first, page after page. `showNewest`
 * begins again with the first page. `readNewest` reads that page alone: listed messages get its counts, and the answer is
 * the ids of all in it, or none when it could not be read.
 */
export function useMessages(eventType: string | null) {
  const queryClient = useQueryClient();
  const params = useMemo(() => ({ query: { limit: PAGE, ...(eventType && { event_type: eventType }) } }), [eventType]);
  const list = api.useInfiniteQuery('get', LIST, { params }, byPages);
  const queryKey = useMemo(() => ['get', LIST, { params }], [params]);
  const showNewest = useCallback(() => readAgain(queryClient, queryKey, 1), [queryClient, queryKey]);
  const readNewest = useCallback(async () => {
    const queryFn = async () => (await client.GET(LIST, { params })).data?.events ?? [];
    const events = await queryClient
      .fetchQuery({ queryKey: ['newest messages', params], queryFn, staleTime: 0 })
      .catch(() => []);
    showEvents(queryClient, queryKey, events);
    return events.map(({ id }) => id);
  }, [queryClient, queryKey, params]);
  return { list, showNewest, readNewest };
}
