import {
  type ColumnDef,
  createColumnHelper,
  createSortedRowModel,
  rowSortingFeature,
  type SortingState,
  sortFns,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { type ReactNode, useMemo, useState } from 'react';

export type Column<Row> = {
  id: string;
  header: string;
  /** A track of a CSS grid, such as `160px` or `minmax(200px, 2fr)`. */
  width: string;
  /**
   * The content of the cell. A list may have thousands of rows, so use plain elements and light components: no tooltip,
   * menu or link of a library in each row.
   */
  cell: (row: Row) => ReactNode;
  /** Makes the column sortable. Only for lists that are read completely. */
  sortBy?: (row: Row) => string | number;
  /** Aligns the column to the right, so that digits line up. */
  isNumeric?: true;
  /** Sets the cells in the monospaced font. */
  isMono?: true;
  /** The narrowest window that shows the column; every window by default. */
  from?: 'sm' | 'md';
};

type Sort = {
  /** Null for a column that cannot be sorted. */
  order: 'ascending' | 'descending' | 'none' | null;
  onSort: () => void;
};

/**
 * The rows in the reader's chosen order, and the sort state of each column. Without a sortable column, the rows are
 * returned unchanged: such a list grows page by page, and each page would rebuild the model of all rows.
 */
export function useSortedRows<Row extends object>(columns: readonly Column<Row>[], rows: readonly Row[]) {
  const [sorting, onSortingChange] = useState<SortingState>([]);
  const sortable = useMemo(() => sortableColumns(columns), [columns]);
  const isSortable = sortable.length > 0;
  const data = isSortable ? rows : NO_ROWS;
  const table = useTable({ features, columns: sortable, data, state: { sorting }, onSortingChange });
  const model = table.getRowModel();
  const sorted = useMemo(() => model.rows.map(({ original }) => original), [model]);
  const sortOf = (id: string): Sort => {
    const column = sortable.some((one) => one.id === id) ? table.getColumn(id) : undefined;
    if (column === undefined) return NOT_SORTABLE;
    const direction = column.getIsSorted();
    const order = direction === 'asc' ? 'ascending' : direction === 'desc' ? 'descending' : 'none';
    return { order, onSort: () => column.toggleSorting() };
  };
  return { rows: isSortable ? sorted : rows, sortOf };
}

const NO_ROWS: never[] = [];
const NOT_SORTABLE: Sort = { order: null, onSort: () => undefined };

const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns,
});

/** The columns with a value to sort by, in the form of TanStack Table. */
function sortableColumns<Row extends object>(
  columns: readonly Column<Row>[],
): ColumnDef<typeof features, Row, unknown>[] {
  const helper = createColumnHelper<typeof features, Row>();
  return columns.flatMap(({ id, header, sortBy }) =>
    sortBy === undefined ? [] : [helper.accessor((row): unknown => sortBy(row), { id, header, sortFn: 'basic' })],
  );
}
