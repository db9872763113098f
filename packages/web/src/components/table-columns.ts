import {
  type ColumnDef,
  createColumnHelper,
  createSortedRowModel,
  rowSortingFeature,
  sortFns,
  tableFeatures,
} from '@tanstack/react-table';
import type { ReactNode } from 'react';

export type Column<Row> = {
  id: string;
  header: string;
  /** A track of a CSS grid, such as `160px` or `minmax(200px, 2fr)`. */
  width: string;
  cell: (row: Row) => ReactNode;
  /** Makes the column sortable. Only for lists that are loaded whole. */
  sortBy?: (row: Row) => string | number;
  /** Aligns the column to the right, so that digits stand below digits. */
  isNumeric?: true;
  /** The narrowest window that shows the column; every window by default. */
  from?: 'sm' | 'md';
};

export const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns,
});

/** The columns of a page as TanStack Table's. */
export function tableColumns<Row extends object>(
  columns: readonly Column<Row>[],
): ColumnDef<typeof features, Row, unknown>[] {
  const helper = createColumnHelper<typeof features, Row>();
  return columns.map(({ id, header, cell, sortBy }) =>
    sortBy === undefined
      ? helper.display({ id, header, cell: ({ row }) => cell(row.original), enableSorting: false })
      : helper.accessor((row): unknown => sortBy(row), {
          id,
          header,
          cell: ({ row }) => cell(row.original),
          sortFn: 'basic',
        }),
  );
}
