import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { FilterAnswer } from '../../client/resources.ts';
import { prettyJson } from '../pretty-json.ts';

/** Asks the service whether a payload matches a filter; both are JSON, as they were typed. */
export type TestFilter = (filter: string, payload: string) => Promise<FilterAnswer>;

const PAUSE_MS = 300;

/** What the service makes of a filter and a payload, asked for when typing pauses. */
export function useFilterTest(test: TestFilter, typed: { filter: string; payload: string }) {
  const [{ filter, payload }] = useDebouncedValue(typed, PAUSE_MS);
  const { data, error } = useQuery({
    queryKey: ['filter test', filter, payload],
    queryFn: () => test(filter, payload),
    enabled: prettyJson(filter) !== undefined && prettyJson(payload) !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
  });
  return { data, error, filter };
}
