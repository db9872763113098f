import { Box, Button, EmptyState, Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../language/language.ts';
import classes from './data-table.module.css';
import { ErrorNotice } from './error-notice.tsx';

export type ListState<Row> = {
  /** Undefined until the first response. */
  rows: readonly Row[] | undefined;
  error: unknown;
  onRetry: () => void;
  isFetching: boolean;
  /** True while the rows are those of earlier filters. */
  isStale: boolean;
  /** Clears the filters. Undefined while none are set. */
  onClear?: (() => void) | undefined;
  /** Set by `searchOlder`, for a list with filters whose requests each search a limited number of rows. */
  searchOlder?: SearchOlder | undefined;
  /** Shown if the list has never had a row: one sentence, one button and a curl command. */
  firstUse: ReactNode;
};

/** `searched` is the least number of newest rows that were searched. `onSearch` searches older ones. */
type SearchOlder = { searched: number; onSearch: () => void };

export type Query = {
  error: unknown;
  isFetching: boolean;
  isPlaceholderData: boolean;
  refetch: () => Promise<unknown>;
};

/** The part of a list's state that comes from its query. */
export function queryState({ error, isFetching, isPlaceholderData, refetch }: Query) {
  return { error, isFetching, isStale: isPlaceholderData, onRetry: () => void refetch() };
}

type Pages = {
  data: { pages: readonly unknown[] } | undefined;
  hasNextPage: boolean;
  fetchNextPage: () => Promise<unknown>;
};

/** Continues a list whose pages may be empty: each request without a match searches at least `perPage` rows. */
export function searchOlder(list: Pages, perPage: number): SearchOlder | undefined {
  if (!list.hasNextPage) return undefined;
  return { searched: (list.data?.pages.length ?? 0) * perPage, onSearch: () => void list.fetchNextPage() };
}

const SKELETON_ROWS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

/** The area below a table: an error (also below earlier rows), or without rows "no match" or the first use. */
export function TableState<Row>({ list }: { list: ListState<Row> }) {
  if (list.error) {
    const title = list.rows === undefined ? t('The list could not be loaded') : t('The list may not be complete');
    return (
      <Box p="md">
        <ErrorNotice title={title} error={list.error} onRetry={list.onRetry} />
      </Box>
    );
  }
  if (list.rows === undefined || list.rows.length > 0) return null;
  if (list.searchOlder !== undefined) return <NoneYet isFetching={list.isFetching} {...list.searchOlder} />;
  if (list.onClear === undefined) return <Box p="lg">{list.firstUse}</Box>;
  return (
    <EmptyState p="lg" size="sm" title={t('Nothing matches these filters')}>
      <EmptyState.Actions>
        <Button variant="default" onClick={list.onClear}>
          {t('Clear filters')}
        </Button>
      </EmptyState.Actions>
    </EmptyState>
  );
}

function NoneYet({ isFetching, searched, onSearch }: SearchOlder & { isFetching: boolean }) {
  return (
    <EmptyState p="lg" size="sm" title={t('None of the newest {searched} matches these filters', { searched })}>
      <EmptyState.Actions>
        <Button variant="default" loading={isFetching} onClick={onSearch}>
          {t('Search older ones')}
        </Button>
      </EmptyState.Actions>
    </EmptyState>
  );
}

/** Bars in the shape of rows, until the first response. */
export function LoadingRows({ columns }: { columns: number }) {
  return (
    <tbody className={classes.loading}>
      {SKELETON_ROWS.map((row) => (
        <tr key={row} className={classes.row}>
          {Array.from({ length: columns }, (_, column) => (
            <td key={column} className={classes.cell}>
              <Skeleton height={10} width={column === 0 ? '70%' : '55%'} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}
