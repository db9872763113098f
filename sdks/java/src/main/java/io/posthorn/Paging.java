package io.posthorn;

/** What leads to the next page. */
enum Paging {
  /** {@code nextCursor} of the answer, as the parameter {@code cursor}. */
  CURSOR,
  /** The next number, as the parameter {@code page}, while {@code page * pageSize} is below {@code total}. */
  PAGE,
  /** The answer is the items alone; the parameter {@code cursor} of the header {@code Link}. */
  LINK
}
