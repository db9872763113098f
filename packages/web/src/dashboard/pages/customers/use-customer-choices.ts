import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { client } from '../../../client/api.ts';
import type { Application } from '../../../client/resources.ts';
import { type Choices, optionsOf, TYPE_FOR_MORE } from '../../../components/choices.ts';
import { usePlace } from '../../place.ts';
import { customerQuery } from './customer-queries.ts';

const PAGE = 100;
const FRESH_MS = 60_000;
const TYPING_MS = 250;
/** The longest text that the service searches for. */
const MAX_CHARACTERS = 255;

/** The newest 100 customers of the workspace, for a filter and for names in a list. Typing a text finds others. */
export function useCustomerChoices(chosen: string | undefined): {
  /** The customers whose names are known, by id; undefined until some have been read. */
  byId: ReadonlyMap<string, Application> | undefined;
  choices: Choices;
} {
  const { workspace } = usePlace();
  const [text, setText] = useState('');
  const [searched] = useDebouncedValue(text.slice(0, MAX_CHARACTERS), TYPING_MS);
  const newest = useQuery(namesQuery(workspace.id, ''));
  const found = useQuery({ ...namesQuery(workspace.id, searched), placeholderData: keepPreviousData });
  const customers = newest.data?.applications ?? (newest.error === null ? undefined : NONE);
  const byId = useMemo(() => customers && new Map(customers.map((one) => [one.id, one])), [customers]);
  const read = found.data?.applications ?? NONE;
  const isRead = chosen === undefined || read.some(({ id }) => id === chosen);
  const { data: other } = useQuery({
    ...customerQuery(workspace.id, chosen ?? ''),
    enabled: found.data !== undefined && !isRead,
  });
  const extra = chosen === undefined ? undefined : { value: chosen, label: other?.name ?? chosen };
  const choices = {
    options: optionsOf(
      read.map(({ id, name }) => ({ value: id, label: name })),
      text === '' ? extra : undefined,
      found.data !== undefined && found.data.nextCursor !== null ? TYPE_FOR_MORE : undefined,
    ),
    onSearch: setText,
    isSearched: true,
    none: found.isFetching ? 'Searching …' : 'There is no such customer',
  };
  return { byId, choices };
}

const NONE: readonly Application[] = [];

const LIST = '/api/workspaces/{workspaceId}/applications';

const namesQuery = (workspaceId: string, search: string) =>
  queryOptions({
    // Begins like the key of the list of customers, so that a change refetches both. `names` tells it from that list in
    // pages.
    queryKey: ['get', LIST, 'names', workspaceId, search],
    queryFn: async ({ signal }) => {
      const params = { path: { workspaceId }, query: { limit: PAGE, ...(search !== '' && { search }) } };
      const { data } = await client.GET(LIST, { params, signal });
      return data;
    },
    staleTime: FRESH_MS,
  });
