package io.posthorn;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** One page of a list. */
public final class Page<Item> {
  private final List<Item> items;
  private final @Nullable String nextCursor;

  Page(List<Item> items, @Nullable String nextCursor) {
    this.items = items;
    this.nextCursor = nextCursor;
  }

  public List<Item> items() {
    return items;
  }

  /** The cursor of the next page; null on the last page. */
  public @Nullable String nextCursor() {
    return nextCursor;
  }
}
