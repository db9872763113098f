import type { ComboboxItem, OptionsFilter } from '@mantine/core';
import { useEffect } from 'react';

export type Choice = { value: string; label: string };

/** What a select offers of a list that is too long to be read whole. */
export type Choices = {
  options: readonly ComboboxItem[];
  /** Called with the typed text, and with an empty one when nothing is searched for. */
  onSearch: (text: string) => void;
  /** The service has searched, so each option is offered; otherwise those that have the text in their label. */
  isSearched: boolean;
  /** What stands in place of the options when there are none. */
  none: string;
};

const MORE: ComboboxItem = { value: '', label: 'Type to find more', disabled: true };

/** The options that were read, with the chosen one, which may not be among them. The last one says that there are more. */
export function optionsOf(read: readonly Choice[], chosen: Choice | undefined, hasMore: boolean): ComboboxItem[] {
  const isRead = chosen === undefined || read.some(({ value }) => value === chosen.value);
  return [...(isRead ? [] : [chosen]), ...read, ...(hasMore ? [MORE] : [])];
}

export const asTheyAre: OptionsFilter = ({ options }) => options;

const MOST_PAGES = 10;

type Pages = {
  data: { pages: readonly unknown[] } | undefined;
  hasNextPage: boolean;
  isFetching: boolean;
  error: unknown;
  fetchNextPage: () => Promise<unknown>;
};

/** While something is searched for in a list, reads its pages one after the other, at most ten. */
export function useReadOn(isSearching: boolean, { data, hasNextPage, isFetching, error, fetchNextPage }: Pages): void {
  const mayReadOn = hasNextPage && (data?.pages.length ?? 0) < MOST_PAGES && !isFetching && error === null;
  useEffect(() => {
    if (isSearching && mayReadOn) void fetchNextPage();
  }, [isSearching, mayReadOn, fetchNextPage]);
}
