import { Box, Button, EmptyState, Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../language/language.ts';
import classes from './data-table.module.css';
import { ErrorNotice } from './error-notice.tsx';

export type ListState<Row> = {
  /** Undefined until the first answer. */
  rows: readonly Row[] | undefined;
  error: unknown;
  onRetry: () => void;
  isFetching: boolean;
  /** The rows are those of other filters, until the new ones are there. */
  isStale: boolean;
  /** Given when filters are set: it clears them. */
  onClear?: (() => void) | undefined;
  /** Given by `searchOlder`, for a list with filters: one request searches a bounded number of its rows. */
  searchOlder?: SearchOlder | undefined;
  /** What a list that never had a row teaches: one sentence, one button and a curl. */
  firstUse: ReactNode;
};

/** `searched` is how many of the newest rows were searched, at least; `onSearch` searches older ones. */
type SearchOlder = { searched: number; onSearch: () => void };

export type Query = {
  error: unknown;
  isFetching: boolean;
  isPlaceholderData: boolean;
  refetch: () => Promise<unknown>;
};

/** The part of a list's state that its query has. */
export function queryState({ error, isFetching, isPlaceholderData, refetch }: Query) {
  return { error, isFetching, isStale: isPlaceholderData, onRetry: () => void refetch() };
}

type Pages = {
  data: { pages: readonly unknown[] } | undefined;
  hasNextPage: boolean;
  fetchNextPage: () => Promise<unknown>;
};

/** How a list goes on whose pages may be empty: each request without a match searches `perPage` rows or more. */
export function searchOlder(list: Pages, perPage: number): SearchOlder | undefined {
  if (!list.hasNextPage) return undefined;
  return { searched: (list.data?.pages.length ?? 0) * perPage, onSearch: () => void list.fetchNextPage() };
}

const SKELETON_ROWS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

/** What stands below a table: an error, also below the rows of earlier answers; without rows no match, or the first use. */
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

/** Bars in the shape of rows, until the first answer. */
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
