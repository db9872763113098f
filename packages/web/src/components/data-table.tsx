import { UnstyledButton, useMatches } from '@mantine/core';
import { type SortingState, useTable } from '@tanstack/react-table';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import classes from './data-table.module.css';
import { type Column, features, tableColumns } from './table-columns.ts';
import { type ListState, LoadingRows, TableState } from './table-state.tsx';
import { useRowKeys } from './use-row-keys.ts';

const ROW_HEIGHT = 36;
const OVERSCAN = 12;

export type DataTableProps<Row> = {
  /** The name of the list for screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  list: ListState<Row>;
  rowId: (row: Row) => string;
  /** Called by a click on a row, and by Enter on the row that j and k reached. */
  onOpen?: (row: Row) => void;
  /** Called when the last row comes into sight. */
  onEnd?: () => void;
  footer?: ReactNode;
};

/** A list of any length: rows of 36 px of which only those in sight are rendered, and the four states of a list. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { list, label } = props;
  const columns = useShownColumns(props.columns);
  const grid = { gridTemplateColumns: columns.map(({ width }) => width).join(' ') };
  const table = useRows(columns, list.rows ?? NO_ROWS, props.rowId);
  const rows = table.getRowModel().rows;
  return (
    <div className={classes.box}>
      <table aria-label={label} aria-busy={list.isFetching} className={classes.table}>
        <thead>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id} className={classes.head} style={grid}>
              {group.headers.map((header) => (
                <Header
                  key={header.id}
                  isNumeric={isNumeric(columns, header.id)}
                  sorted={header.column.getIsSorted()}
                  onSort={sorterOf(header.column)}
                >
                  <table.FlexRender header={header} />
                </Header>
              ))}
            </tr>
          ))}
        </thead>
        {list.rows === undefined && !list.error ? <LoadingRows columns={columns.length} grid={grid} /> : null}
        {rows.length > 0 ? <Body {...props} columns={columns} grid={grid} rows={rows} Cell={table.FlexRender} /> : null}
      </table>
      <TableState list={list} />
      {props.footer === undefined ? null : <div className={classes.foot}>{props.footer}</div>}
    </div>
  );
}

const NO_ROWS: never[] = [];

function useRows<Row extends object>(
  columns: readonly Column<Row>[],
  data: readonly Row[],
  rowId: (row: Row) => string,
) {
  const [sorting, onSortingChange] = useState<SortingState>([]);
  const shape = useMemo(() => tableColumns(columns), [columns]);
  return useTable({ features, columns: shape, data, getRowId: rowId, state: { sorting }, onSortingChange });
}

type Table<Row extends object> = ReturnType<typeof useRows<Row>>;
type BodyProps<Row extends object> = DataTableProps<Row> & {
  grid: { gridTemplateColumns: string };
  rows: ReturnType<Table<Row>['getRowModel']>['rows'];
  Cell: Table<Row>['FlexRender'];
};

function Body<Row extends object>({ columns, rows, grid, Cell, list, onOpen, onEnd }: BodyProps<Row>) {
  const box = useRef<HTMLTableSectionElement>(null);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    scrollMargin: box.current?.offsetTop ?? 0,
  });
  const items = virtualizer.getVirtualItems();
  useEndOfList(items.at(-1)?.index === rows.length - 1, rows.length, onEnd);
  const active = useRowKeys({
    count: rows.length,
    onMove: (index) => virtualizer.scrollToIndex(index, { align: 'auto' }),
    onOpen: (index) => openRow(rows[index]),
  });
  const openRow = (row: (typeof rows)[number] | undefined) => row && onOpen?.(row.original);
  return (
    <tbody
      ref={box}
      className={list.isStale ? classes.dimmed : classes.body}
      style={{ height: virtualizer.getTotalSize() }}
    >
      {items.map(({ index, start }) => {
        const row = rows[index];
        if (row === undefined) return null;
        const look = [classes.row, classes.virtual, onOpen && classes.open, index === active && classes.active];
        const place = { ...grid, transform: `translateY(${start - virtualizer.options.scrollMargin}px)` };
        return (
          <tr key={row.id} className={look.filter(Boolean).join(' ')} style={place} onClick={() => openRow(row)}>
            {row.getAllCells().map((cell) => (
              <td key={cell.id} className={classes.cell} data-numeric={isNumeric(columns, cell.column.id) || undefined}>
                <Cell cell={cell} />
              </td>
            ))}
          </tr>
        );
      })}
    </tbody>
  );
}

type HeaderProps = {
  isNumeric: boolean;
  sorted: 'asc' | 'desc' | false;
  onSort: (() => void) | undefined;
  children: ReactNode;
};

function Header({ isNumeric: isRight, sorted, onSort, children }: HeaderProps) {
  const order = sorted === 'asc' ? 'ascending' : sorted === 'desc' ? 'descending' : 'none';
  return (
    <th
      scope="col"
      className={classes.cell}
      data-numeric={isRight || undefined}
      {...(onSort && { 'aria-sort': order })}
    >
      {onSort === undefined ? (
        children
      ) : (
        <UnstyledButton fz={12} onClick={onSort}>
          {children} {sorted === 'asc' ? '↑' : sorted === 'desc' ? '↓' : ''}
        </UnstyledButton>
      )}
    </th>
  );
}

function isNumeric<Row>(columns: readonly Column<Row>[], id: string): boolean {
  return columns.some((column) => column.id === id && column.isNumeric === true);
}

function sorterOf(column: { getCanSort: () => boolean; toggleSorting: () => void }): (() => void) | undefined {
  return column.getCanSort() ? () => column.toggleSorting() : undefined;
}

/** The columns that this window is wide enough for. */
function useShownColumns<Row>(columns: readonly Column<Row>[]): readonly Column<Row>[] {
  const width = useMatches({ base: 0, sm: 1, md: 2 });
  return useMemo(() => {
    const least = { sm: 1, md: 2 };
    return columns.filter(({ from }) => from === undefined || least[from] <= width);
  }, [columns, width]);
}

/** Calls `onEnd` once for each length that the list reaches. */
function useEndOfList(isInSight: boolean, length: number, onEnd: (() => void) | undefined): void {
  const asked = useRef(0);
  useEffect(() => {
    if (!isInSight || onEnd === undefined || asked.current === length) return;
    asked.current = length;
    onEnd();
  }, [isInSight, length, onEnd]);
}
