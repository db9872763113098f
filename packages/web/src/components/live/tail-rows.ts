/** The rows of a live list: those that are shown, and those that came while the pointer was on them. */
export type Tail<Row extends { id: string }> = { shown: readonly Row[]; waiting: readonly Row[] };

const MOST = 20;

/**
 * Takes a row that was created or changed. A shown row changes where it stands. A new one is put on top, or waits when
 * the rows are `held`, so that no row moves under the pointer. At most 20 rows are kept of each.
 */
export function withRow<Row extends { id: string }>(tail: Tail<Row>, row: Row, held: boolean): Tail<Row> {
  const isRow = ({ id }: Row) => id === row.id;
  const replaced = (rows: readonly Row[]) => rows.map((one) => (isRow(one) ? row : one));
  if (tail.shown.some(isRow)) return { ...tail, shown: replaced(tail.shown) };
  if (tail.waiting.some(isRow)) return { ...tail, waiting: replaced(tail.waiting) };
  if (held) return { ...tail, waiting: [row, ...tail.waiting].slice(0, MOST) };
  return { ...tail, shown: [row, ...tail.shown].slice(0, MOST) };
}

/** Puts the waiting rows on top. */
export function released<Row extends { id: string }>({ shown, waiting }: Tail<Row>): Tail<Row> {
  return { shown: [...waiting, ...shown].slice(0, MOST), waiting: [] };
}
