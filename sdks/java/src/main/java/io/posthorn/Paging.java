package io.posthorn;

/** How a list leads to its next page. */
enum Paging {
  /** By the field {@code nextCursor} of the answer, sent as the parameter {@code cursor}. */
  CURSOR,
  /** By the next number, sent as the parameter {@code page}, while {@code page * pageSize} is below {@code total}. */
  PAGE,
  /** By the parameter {@code cursor} in the header {@code Link}. The answer itself is the array of items. */
  LINK
}
