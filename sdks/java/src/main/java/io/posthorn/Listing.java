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

/** The items of all pages. A page is requested only when you read its items. */
public final class Listing<Item> implements Iterable<Item> {
  private final Function<@Nullable String, Page<Item>> read;

  /** {@code read} requests the page of a cursor, or the first page for null. */
  Listing(Function<@Nullable String, Page<Item>> read) {
    this.read = read;
  }

  /** Reads one page: the first, or the page that the option {@code cursor} names. */
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

  /** Reads at most {@code limit} items. The limit is required because a list can have any number of items. */
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
      // Such a cursor would make the list endless.
      if (page.nextCursor() != null && Objects.equals(page.nextCursor(), cursor)) {
        throw ApiException.unexpected(200, "The answer leads to its own page again");
      }
      began = true;
      cursor = page.nextCursor();
      return page;
    }
  }
}
