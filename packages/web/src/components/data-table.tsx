import { UnstyledButton, useMatches } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import {
  memo,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import classes from './data-table.module.css';
import { isDialogOpen } from './is-dialog-open.ts';
import { rowOfClick } from './row-link.tsx';
import { type Column, useSortedRows } from './table-columns.ts';
import { type ListState, LoadingRows, TableState } from './table-state.tsx';
import { useKeptFocus } from './use-kept-focus.ts';

/** The rows rendered beyond the view. More would make each frame of a scrolled list slower than they save. */
const OVERSCAN = 6;
/** The height of the page header and the table header, which stay above the rows. */
const HEADS_PX = 82;
/** The next page is requested when only this many rows are left below: half a page. */
const ROWS_AHEAD = 50;

export type DataTableProps<Row> = {
  /** The name of the list for screen readers. */
  label: string;
  /** Keep the same array between renders: a row re-renders when its columns change. */
  columns: readonly Column<Row>[];
  list: ListState<Row>;
  rowId: (row: Row) => string;
  /** Called by a click on a row or on its `RowLink`, and by Enter on the row selected with j and k. */
  onOpen?: (row: Row) => void;
  /** Called when the mouse rests on a row, so that its page can be preloaded. */
  onPoint?: (row: Row) => void;
  /**
   * Called with the indexes of the first and the last row in view, when other rows come into view or the rows have
   * changed; with 0 and 0 for a list without rows.
   */
  onSeen?: (first: number, last: number) => void;
  /** Called when few rows are left below the view. */
  onEnd?: () => void;
  footer?: ReactNode;
  /** Whether j, k and Enter work in this list. At most one list of a page may have them. Default: true. */
  hasKeys?: boolean;
};

/** A list of any length, in one of four states. Each row is 36 px high, and only the rows in view are rendered. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { list, label } = props;
  const columns = useShownColumns(props.columns);
  const tracks = columns.map(({ width }) => width).join(' ');
  const { rows, sortOf } = useSortedRows(columns, list.rows ?? NO_ROWS);
  const box = useRef<HTMLDivElement>(null);
  useKeptFocus(box, rows);
  return (
    <div ref={box} className={classes.box}>
      <table
        aria-label={label}
        aria-busy={list.isFetching}
        aria-rowcount={rows.length + 1}
        className={classes.table}
        // The rows inherit these column widths.
        style={{ gridTemplateColumns: tracks }}
      >
        <thead>
          <tr className={classes.head} aria-rowindex={1}>
            {columns.map(({ id, header, isNumeric }) => (
              <Header key={id} isNumeric={isNumeric} {...sortOf(id)}>
                {header}
              </Header>
            ))}
          </tr>
        </thead>
        {list.rows === undefined && !list.error ? <LoadingRows columns={columns.length} /> : null}
        {rows.length > 0 ? <Body {...props} columns={columns} rows={rows} /> : <NoBody {...props} rows={rows} />}
      </table>
      <TableState list={list} />
      {props.footer === undefined ? null : <div className={classes.foot}>{props.footer}</div>}
    </div>
  );
}

const NO_ROWS: never[] = [];
const rowHeight = () => ROW_HEIGHT;

type BodyProps<Row> = DataTableProps<Row> & { rows: readonly Row[] };

function Body<Row extends object>({ columns, rows, rowId, list, ...on }: BodyProps<Row>) {
  const box = useRef<HTMLTableSectionElement>(null);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: rowHeight,
    overscan: OVERSCAN,
    scrollPaddingStart: HEADS_PX,
    scrollMargin: useTop(box),
  });
  const items = virtualizer.getVirtualItems();
  const isNearEnd = (items.at(-1)?.index ?? 0) >= rows.length - ROWS_AHEAD;
  const { startIndex: first, endIndex: last } = virtualizer.range ?? { startIndex: 0, endIndex: 0 };
  useSeenRows({ first, last, rows, list, onSeen: on.onSeen });
  useEndOfList({ isNearEnd, length: rows.length, list, onEnd: on.onEnd });
  const tell = (listener: ((row: Row) => void) | undefined) => (index: number) => {
    const row = rows[index];
    if (row !== undefined) listener?.(row);
  };
  const open = tell(on.onOpen);
  const pointed = usePointedRow(on.onPoint && tell(on.onPoint));
  const active = useRowKeys({
    rows: on.hasKeys === false ? NO_ROWS : rows,
    rowId,
    onMove: (index) => virtualizer.scrollToIndex(index, { align: 'auto' }),
    onOpen: open,
  });
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard opens a row by its link, or by Enter after j and k.
    <tbody
      ref={box}
      className={list.isStale ? classes.dimmed : classes.body}
      // Rows that are not rendered keep their room: above the view as padding, below as the rest of the height.
      style={{ height: virtualizer.getTotalSize(), paddingTop: (items[0]?.index ?? 0) * ROW_HEIGHT }}
      {...pointed}
      onClick={(event) => {
        const index = on.onOpen && rowOfClick(event);
        if (index !== undefined) open(index);
      }}
    >
      {items.map(({ index }) => {
        const row = rows[index];
        if (row === undefined) return null;
        return (
          <TableRow
            key={rowId(row)}
            row={row}
            index={index}
            columns={columns}
            isActive={index === active}
            canOpen={on.onOpen !== undefined}
          />
        );
      })}
    </tbody>
  );
}

/** An empty list may be a long one whose rows are gone, so it also reports its rows in view. */
function NoBody<Row>({ rows, list, onSeen }: BodyProps<Row>) {
  useSeenRows({ first: 0, last: 0, rows, list, onSeen });
  return null;
}

/** The top of the rows on the page, in pixels. It is measured when the page's size changes, not at each scroll. */
function useTop(box: RefObject<HTMLTableSectionElement | null>): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const measure = () => setTop(box.current?.offsetTop ?? 0);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [box]);
  return top;
}

type HeaderProps = ReturnType<ReturnType<typeof useSortedRows>['sortOf']> & {
  isNumeric: true | undefined;
  children: ReactNode;
};

const ARROWS = { ascending: '↑', descending: '↓', none: '' };

function Header({ isNumeric, order, onSort, children }: HeaderProps) {
  // The column of the row menus has no name.
  if (children === '') return <td className={classes.cell} />;
  return (
    <th scope="col" className={classes.cell} data-numeric={isNumeric} {...(order !== null && { 'aria-sort': order })}>
      {order === null ? (
        children
      ) : (
        <UnstyledButton fz={12} onClick={onSort}>
          {children} {ARROWS[order]}
        </UnstyledButton>
      )}
    </th>
  );
}

/** The columns that fit into this window. */
function useShownColumns<Row>(columns: readonly Column<Row>[]): readonly Column<Row>[] {
  const width = useMatches({ base: 0, sm: 1, md: 2 });
  return useMemo(() => {
    const least = { sm: 1, md: 2 };
    return columns.filter(({ from }) => from === undefined || least[from] <= width);
  }, [columns, width]);
}

type SeenRows = {
  first: number;
  last: number;
  rows: readonly unknown[];
  list: { isFetching: boolean };
  onSeen: ((first: number, last: number) => void) | undefined;
};

/** Calls `onSeen` with the rows in view, and again when other rows come into view or some rows have changed. */
function useSeenRows({ first, last, rows, list: { isFetching }, onSeen }: SeenRows): void {
  const tell = useEffectEvent(() => onSeen?.(first, last));
  useEffect(() => {
    if (!isFetching) tell();
  }, [first, last, rows, isFetching]);
}

type ListEnd = {
  isNearEnd: boolean;
  length: number;
  list: { error: unknown; isFetching: boolean };
  onEnd: (() => void) | undefined;
};

/**
 * Calls `onEnd` once for each length of the list, and again after a failure or after scrolling away from the end. It
 * waits while the list is being read: the request for a further page would cancel that, and leave the rows as they
 * were.
 */
function useEndOfList({ isNearEnd, length, list, onEnd }: ListEnd): void {
  const { isFetching } = list;
  const hasFailed = Boolean(list.error);
  const asked = useRef(0);
  const failed = useRef(false);
  useEffect(() => {
    if (!isNearEnd || (failed.current && !hasFailed)) asked.current = 0;
    failed.current = hasFailed;
    if (!isNearEnd || isFetching || onEnd === undefined || asked.current === length) return;
    asked.current = length;
    onEnd();
  }, [isNearEnd, length, isFetching, hasFailed, onEnd]);
}

const ROW_HEIGHT = 36;

type Props = {
  row: object;
  index: number;
  // Declared as a method, because TypeScript compares a method's parameter in both directions: columns of any row type
  // fit.
  columns: readonly { id: string; isNumeric?: true; isMono?: true; cell(row: object): ReactNode }[];
  isActive: boolean;
  canOpen: boolean;
};

/**
 * One row of a list. While the list is scrolled, only rows that come into view are rendered. A row has no inline style:
 * Chromium searches its cache linearly among inline styles that differ only in a value, so each frame of a scrolled
 * list would take longer than the one before.
 */
const TableRow = memo(function TableRow({ row, index, columns, isActive, canOpen }: Props) {
  const states = [classes.row, canOpen && classes.open, isActive && classes.active];
  return (
    <tr
      className={states.filter(Boolean).join(' ')}
      data-index={index}
      // The table header is the first row.
      aria-rowindex={index + 2}
    >
      {columns.map((column) => (
        <td
          key={column.id}
          className={column.isMono ? `${classes.cell} mono` : classes.cell}
          data-numeric={column.isNumeric}
        >
          {column.cell(row)}
        </td>
      ))}
    </tr>
  );
});

const REST_MS = 80;

/**
 * Calls `onPoint` with the index of the row on which the mouse rests. Returns listeners for the rows' parent element.
 */
function usePointedRow(onPoint: ((index: number) => void) | undefined) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  if (onPoint === undefined) return {};
  return {
    onPointerOver: ({ target, pointerType }: PointerEvent) => {
      clearTimeout(timer.current);
      const index = target instanceof Element ? target.closest('tr')?.dataset.index : undefined;
      if (index !== undefined && pointerType === 'mouse') timer.current = setTimeout(onPoint, REST_MS, Number(index));
    },
    onPointerLeave: () => clearTimeout(timer.current),
  };
}

type RowKeys<Row> = {
  rows: readonly Row[];
  rowId: (row: Row) => string;
  onMove: (index: number) => void;
  onOpen: (index: number) => void;
};

/**
 * `j` and `k` move through the rows of a list, Enter opens. Returns the row that was reached, -1 before the first. It stays the
 * same row when others come above it; when it has gone, the keys go on from its place.
 */
function useRowKeys<Row>({ rows, rowId, onMove, onOpen }: RowKeys<Row>): number {
  const [reached, setReached] = useState<{ id: string; index: number }>();
  const active = reached === undefined ? -1 : rows.findIndex((row) => rowId(row) === reached.id);
  const move = (by: number) => {
    // The row below one that has gone is at its place now.
    const before = active === -1 && reached !== undefined ? reached.index - (by > 0 ? 1 : 0) : active;
    const index = Math.min(Math.max(before + by, 0), rows.length - 1);
    const row = rows[index];
    if (row === undefined) return;
    setReached({ id: rowId(row), index });
    onMove(index);
  };
  useHotkeys([
    ['j', () => move(1)],
    ['k', () => move(-1)],
    ['Enter', () => isOnPage() && !isDialogOpen() && active >= 0 && onOpen(active), { preventDefault: false }],
  ]);
  return active;
}

/** True if the focus is on the page itself. Enter on a focused link or button belongs to that element. */
function isOnPage(): boolean {
  return document.activeElement === document.body || document.activeElement === null;
}
