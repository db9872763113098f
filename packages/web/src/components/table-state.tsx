import { Box, Button, EmptyState, Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
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
  /** Given when the rows that were searched have no match, and older ones are left: it searches those. */
  onSearchOlder?: (() => void) | undefined;
  /** What a list that never had a row teaches: one sentence, one button and a curl. */
  firstUse: ReactNode;
};

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

const SKELETON_ROWS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

/** What stands below a table: an error, also below the rows of earlier answers; without rows no match, or the first use. */
export function TableState<Row>({ list }: { list: ListState<Row> }) {
  if (list.error) {
    const title = list.rows === undefined ? 'The list could not be loaded' : 'The list may not be complete';
    return (
      <Box p="md">
        <ErrorNotice title={title} error={list.error} onRetry={list.onRetry} />
      </Box>
    );
  }
  if (list.rows === undefined || list.rows.length > 0) return null;
  if (list.onSearchOlder !== undefined) return <NoneYet isFetching={list.isFetching} onSearch={list.onSearchOlder} />;
  if (list.onClear === undefined) return <Box p="lg">{list.firstUse}</Box>;
  return (
    <EmptyState p="lg" size="sm" title="Nothing matches these filters">
      <EmptyState.Actions>
        <Button variant="default" onClick={list.onClear}>
          Clear filters
        </Button>
      </EmptyState.Actions>
    </EmptyState>
  );
}

function NoneYet({ isFetching, onSearch }: { isFetching: boolean; onSearch: () => void }) {
  return (
    <EmptyState p="lg" size="sm" title="None of the newest 10,000 matches these filters">
      <EmptyState.Actions>
        <Button variant="default" loading={isFetching} onClick={onSearch}>
          Search older ones
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
