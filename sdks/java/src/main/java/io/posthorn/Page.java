package io.posthorn;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A part of a list. */
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

  /** Begins a list behind this page; null on the last one. */
  public @Nullable String nextCursor() {
    return nextCursor;
  }
}
