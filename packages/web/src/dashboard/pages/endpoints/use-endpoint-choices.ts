import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { client } from '../../../client/api.ts';
import { byPages } from '../../../client/by-pages.ts';
import { nextCursor } from '../../../client/next-cursor.ts';
import type { Endpoint } from '../../../client/resources.ts';
import { type Choices, howToFindMore, optionsOf, useReadOn } from '../../../components/choices.ts';
import { addressOf } from '../../../components/destination/address-of.ts';
import { placeOfId } from '../../frame/place-of-id.ts';
import { type Place, usePlace } from '../../place.ts';
import { endpointQuery } from './endpoint-queries.ts';

const PAGE = 100;
const FIRST: string | null = null;
const LIST = '/api/workspaces/{workspaceId}/endpoints';

/**
 * The first 100 endpoints of the environment, for a filter and for addresses in a list. The API cannot search
 * endpoints, so up to 1,000 are read while a text is typed. Any other endpoint must be chosen by its id.
 */
export function useEndpointChoices(chosen: string | undefined): {
  /** The endpoints that are known, by id; undefined until some have been read. */
  byId: ReadonlyMap<string, Endpoint> | undefined;
  choices: Choices;
} {
  const place = usePlace();
  const [text, setText] = useState('');
  const list = useEndpointPages(place);
  useReadOn(text !== '', list);
  const endpoints = useMemo(() => list.data?.pages.flatMap((page) => page.endpoints) ?? NONE, [list.data]);
  const isAnswered = list.data !== undefined || list.error !== null;
  const byId = useMemo(
    () => (isAnswered ? new Map(endpoints.map((one) => [one.id, one])) : undefined),
    [endpoints, isAnswered],
  );
  const isRead = chosen === undefined || endpoints.some(({ id }) => id === chosen);
  const { data: other } = useQuery({
    ...endpointQuery(place.workspace.id, chosen ?? ''),
    enabled: list.data !== undefined && !isRead,
  });
  const read = endpoints.map((endpoint) => ({ value: endpoint.id, label: addressOf(endpoint) }));
  const found = placeOfId(text);
  const pasted = found.kind === 'endpoint' ? { value: found.id, label: found.id } : undefined;
  const label = other === undefined ? chosen : addressOf(other);
  const extra = pasted ?? (chosen === undefined ? undefined : { value: chosen, label: label ?? chosen });
  const choices = {
    options: optionsOf(read, extra, list.hasNextPage ? howToFindMore(list, PASTE_ID) : undefined),
    onSearch: setText,
    isSearched: false,
    none: list.isFetching ? 'Searching …' : NOT_FOUND[list.error === null ? 'all' : 'some'],
  };
  return { byId, choices };
}

const NONE: readonly Endpoint[] = [];

const PASTE_ID = 'Paste the id of another one.';

/** The text without options, by whether all endpoints could be read or only some. */
const NOT_FOUND = { all: 'There is no such endpoint', some: `Not all could be read. ${PASTE_ID}` };

function useEndpointPages({ workspace, environment }: Place) {
  const path = { workspaceId: workspace.id };
  const query = { environment_id: environment.id, limit: PAGE };
  return useInfiniteQuery({
    // Begins like the keys of the other lists of endpoints, so that a change refetches it, too.
    queryKey: ['get', LIST, { params: { path, query }, isInPages: true }],
    queryFn: async ({ pageParam, signal }) => {
      const params = { path, query: { ...query, ...(pageParam && { cursor: pageParam }) } };
      const { data, response } = await client.GET(LIST, { params, signal });
      return { endpoints: data ?? [], next: nextCursor(response) };
    },
    initialPageParam: FIRST,
    getNextPageParam: ({ next }) => next,
    staleTime: byPages.staleTime,
  });
}
