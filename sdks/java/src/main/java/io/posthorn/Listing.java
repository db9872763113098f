package io.posthorn;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** The items of all pages, asked for as they are read. Nothing is sent before. */
public final class Listing<Item> implements Iterable<Item> {
  private final Function<@Nullable String, Page<Item>> read;

  /** {@code read} asks for the page of a cursor; null for the first. */
  Listing(Function<@Nullable String, Page<Item>> read) {
    this.read = read;
  }

  /** One page: the first, or the one of the option {@code cursor}. */
  public Page<Item> page() {
    return read.apply(null);
  }

  /** The pages, one after the other. */
  public Iterable<Page<Item>> pages() {
    return PageIterator::new;
  }

  @Override
  public Iterator<Item> iterator() {
    return stream().iterator();
  }

  public Stream<Item> stream() {
    return StreamSupport.stream(pages().spliterator(), false).flatMap(page -> page.items().stream());
  }

  /** At most {@code limit} items, which is required because a list has no end of its own. */
  public List<Item> toList(int limit) {
    Settings.requireInteger("limit", limit, 0, Integer.MAX_VALUE);
    List<Item> items = new ArrayList<>();
    if (limit == 0) return items;
    for (Page<Item> page : pages()) {
      items.addAll(page.items());
      if (items.size() >= limit) break;
    }
    return items.size() > limit ? new ArrayList<>(items.subList(0, limit)) : items;
  }

  private final class PageIterator implements Iterator<Page<Item>> {
    private boolean began;
    private @Nullable String cursor;

    @Override
    public boolean hasNext() {
      return !began || cursor != null;
    }

    @Override
    public Page<Item> next() {
      if (!hasNext()) throw new NoSuchElementException();
      Page<Item> page = read.apply(cursor);
      // Else the list would have no end.
      if (page.nextCursor() != null && Objects.equals(page.nextCursor(), cursor)) {
        throw ApiException.unexpected(200, "The answer leads to its own page again");
      }
      began = true;
      cursor = page.nextCursor();
      return page;
    }
  }
}
