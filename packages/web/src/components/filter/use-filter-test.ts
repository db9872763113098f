import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { FilterAnswer } from '../../client/resources.ts';
import { prettyJson } from '../pretty-json.ts';

/** Asks the service whether a payload matches a filter; both are JSON, as they were typed. */
export type TestFilter = (filter: string, payload: string) => Promise<FilterAnswer>;

const PAUSE_MS = 300;

/** What the service makes of a filter and a payload, asked for when typing pauses. */
export function useFilterTest(test: TestFilter, typed: { filter: string; payload: string }) {
  // The texts, and not `typed`: it is another object at each rendering, so each pause would begin the next one.
  const [filter] = useDebouncedValue(typed.filter, PAUSE_MS);
  const [payload] = useDebouncedValue(typed.payload, PAUSE_MS);
  const isAsked = prettyJson(filter) !== undefined && prettyJson(payload) !== undefined;
  const { data, error } = useQuery({
    queryKey: ['filter test', filter, payload],
    queryFn: () => test(filter, payload),
    enabled: isAsked,
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
  });
  // What an earlier text was found to do is not said of one that is no JSON.
  return { data: isAsked ? data : undefined, error, filter };
}
