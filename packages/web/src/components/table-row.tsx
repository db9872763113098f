import { memo, type ReactNode } from 'react';
import classes from './data-table.module.css';

export const ROW_HEIGHT = 36;

type Props = {
  row: object;
  index: number;
  // A method, whose parameter TypeScript compares in both directions: the columns of any kind of row fit.
  columns: readonly { id: string; isNumeric?: true; isMono?: true; cell(row: object): ReactNode }[];
  isActive: boolean;
  canOpen: boolean;
};

/**
 * One row of a list. While the list is scrolled, only the rows that come into sight are rendered. A row has no inline
 * style: Chromium searches its cache linearly among inline styles that differ only in a value, so each frame of a scrolled
 * list would take longer than the one before.
 */
export const TableRow = memo(function TableRow({ row, index, columns, isActive, canOpen }: Props) {
  const states = [classes.row, canOpen && classes.open, isActive && classes.active];
  return (
    <tr
      className={states.filter(Boolean).join(' ')}
      data-index={index}
      // The head of the table is the first row.
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
