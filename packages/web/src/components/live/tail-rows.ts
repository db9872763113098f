/** A version of a row. `updatedAt` is the ISO instant of its last change. Ids increase with the time of creation. */
type Version = { id: string; updatedAt: string };

/** The rows of a live list: those that are shown, and those that arrived while the pointer was over the list. */
export type Tail<Row extends Version> = { shown: readonly Row[]; waiting: readonly Row[] };

const MOST = 20;

/**
 * Adds a row that the live view reports as created or changed. A shown row changes in place. A new row goes to the top,
 * or waits while the rows are `held`, so that no row moves under the pointer. Keeps at most 20 shown and 20 waiting
 * rows.
 */
export function withRow<Row extends Version>(tail: Tail<Row>, row: Row, held: boolean): Tail<Row> {
  const isRow = ({ id }: Row) => id === row.id;
  const replaced = (rows: readonly Row[]) => rows.map((one) => (isRow(one) ? row : one));
  if (tail.shown.some(isRow)) return { ...tail, shown: replaced(tail.shown) };
  if (tail.waiting.some(isRow)) return { ...tail, waiting: replaced(tail.waiting) };
  if (held) return { ...tail, waiting: [row, ...tail.waiting].slice(0, MOST) };
  return { ...tail, shown: [row, ...tail.shown].slice(0, MOST) };
}

/**
 * Merges a response of the list, newest first. It may be older than rows that the live view has reported since the
 * request: the later version of a row wins, and a new row goes below those that were created after it. While the rows
 * are `held`, a new row that would move another one waits.
 */
export function withAnswer<Row extends Version>(tail: Tail<Row>, answer: readonly Row[], held: boolean): Tail<Row> {
  const listed = new Map(answer.map((row) => [row.id, row]));
  const newer = (rows: readonly Row[]) => rows.map((row) => newerOf(row, listed.get(row.id)));
  const known = new Set([...tail.shown, ...tail.waiting].map(({ id }) => id));
  const added = answer.filter(({ id }) => !known.has(id));
  const shown = newer(tail.shown);
  const waiting = newer(tail.waiting);
  if (!held) return { shown: inserted(shown, added), waiting };
  const isBelow = ({ id }: Row) => id < (shown.at(-1)?.id ?? '');
  const above = added.filter((row) => !isBelow(row));
  return { shown: inserted(shown, added.filter(isBelow)), waiting: inserted(waiting, above) };
}

function newerOf<Row extends Version>(known: Row, listed: Row | undefined): Row {
  return listed !== undefined && listed.updatedAt > known.updatedAt ? listed : known;
}

function inserted<Row extends Version>(rows: readonly Row[], added: readonly Row[]): readonly Row[] {
  const after = [...rows];
  for (const row of added) {
    // A row that was created earlier and changed since may also stand above it.
    const newer = after.findLastIndex(({ id }) => id > row.id);
    after.splice(newer + 1, 0, row);
  }
  return after.slice(0, MOST);
}

/** Moves the waiting rows to the top. */
export function released<Row extends Version>({ shown, waiting }: Tail<Row>): Tail<Row> {
  return { shown: [...waiting, ...shown].slice(0, MOST), waiting: [] };
}
