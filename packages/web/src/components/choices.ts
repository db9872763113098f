import type { ComboboxItem, OptionsFilter } from '@mantine/core';
import { useEffect } from 'react';
import { t } from '../language/language.ts';

export type Choice = { value: string; label: string };

/** The options of a select whose list is too long to be read whole. */
export type Choices = {
  options: readonly ComboboxItem[];
  /** Called with the typed text; with an empty text when the search ends. */
  onSearch: (text: string) => void;
  /**
   * True if the service has searched, so that every option is shown. Otherwise options are filtered by their labels.
   */
  isSearched: boolean;
  /** The text to show when there are no options. */
  none: string;
};

export const TYPE_FOR_MORE = t('Type to find more');
const HINT = '';

/**
 * The options that were read, plus the chosen one, which may not be among them. If there are more, the hint `more`
 * comes last and cannot be chosen.
 */
export function optionsOf(
  read: readonly Choice[],
  chosen: Choice | undefined,
  more: string | undefined,
): ComboboxItem[] {
  const isRead = chosen === undefined || read.some(({ value }) => value === chosen.value);
  const hint = more === undefined ? [] : [{ value: HINT, label: more, disabled: true }];
  return [...(isRead ? [] : [chosen]), ...read, ...hint];
}

export const asTheyAre: OptionsFilter = ({ options }) => options;

/** Keeps options with the typed text in their labels, and the hint. */
export const byLabel: OptionsFilter = ({ options, search }) => {
  const text = search.trim().toLowerCase();
  return options.filter((one) => !('value' in one) || one.value === HINT || one.label.toLowerCase().includes(text));
};

const MAX_PAGES = 10;

type Pages = {
  data: { pages: readonly unknown[] } | undefined;
  hasNextPage: boolean;
  isFetching: boolean;
  error: unknown;
  fetchNextPage: () => Promise<unknown>;
};

/** During a search in a list, reads its pages one after the other, at most ten. */
export function useReadOn(isSearching: boolean, { data, hasNextPage, isFetching, error, fetchNextPage }: Pages): void {
  const mayReadOn = hasNextPage && (data?.pages.length ?? 0) < MAX_PAGES && !isFetching && error === null;
  useEffect(() => {
    if (isSearching && mayReadOn) void fetchNextPage();
  }, [isSearching, mayReadOn, fetchNextPage]);
}

/**
 * The last option's text while not all rows of a list are read, in pages of 100. `otherWay` says what to do about a row
 * that is not offered.
 */
export function howToFindMore(
  { data, isFetching, error }: Pick<Pages, 'data' | 'isFetching' | 'error'>,
  otherWay: string,
): string {
  if (isFetching) return t('Searching …');
  if (error !== null) return t('Not all could be read. {otherWay}', { otherWay });
  const isAtLimit = (data?.pages.length ?? 0) >= MAX_PAGES;
  return isAtLimit ? t('Only the first 1,000 are searched. {otherWay}', { otherWay }) : TYPE_FOR_MORE;
}
