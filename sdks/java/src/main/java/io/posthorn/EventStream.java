package io.posthorn;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.posthorn.internal.Json;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** A stream of changes, as they arrive. Use it in a try: closing it ends the connection. You can read it once. */
public final class EventStream<Event extends Change> implements Iterable<Event>, AutoCloseable {
  /** How long a stream may be silent. The server sends a comment every 15 s. */
  private static final Duration SILENCE = Duration.ofSeconds(45);

  private final Bodies.Chunks chunks;
  private final BiFunction<String, JsonNode, Event> make;
  private final ByteArrayOutputStream rest = new ByteArrayOutputStream();
  private final Deque<Event> waiting = new ArrayDeque<>();

  EventStream(Bodies.Chunks chunks, BiFunction<String, JsonNode, Event> make) {
    this.chunks = chunks;
    this.make = make;
  }

  /** Waits for each change. Throws a PosthornException if the connection ends early. */
  @Override
  public Iterator<Event> iterator() {
    return new Iterator<Event>() {
      @Override
      public boolean hasNext() {
        return fill();
      }

      @Override
      public Event next() {
        if (!fill()) throw new NoSuchElementException();
        return waiting.removeFirst();
      }
    };
  }

  @Override
  public void close() {
    chunks.close();
  }

  private boolean fill() {
    while (waiting.isEmpty()) {
      byte[] part = chunks.next(SILENCE);
      if (part == null) return false;
      rest.write(part, 0, part.length);
      byte[] all = rest.toByteArray();
      int end = endOfBlocks(all);
      rest.reset();
      rest.write(all, end, all.length - end);
      // A text that ends with an empty line has only complete characters. A line may end with CR LF.
      String text = new String(all, 0, end, StandardCharsets.UTF_8).replace("\r\n", "\n");
      for (String block : text.split("\n\n")) {
        Event event = read(block);
        if (event != null) waiting.add(event);
      }
    }
    return true;
  }

  /** The index after the last empty line, or 0 if there is none. */
  private static int endOfBlocks(byte[] bytes) {
    for (int n = bytes.length - 1; n > 0; n -= 1) {
      int before = bytes[n - 1] == '\r' ? n - 2 : n - 1;
      if (bytes[n] == '\n' && before >= 0 && bytes[before] == '\n') return n + 1;
    }
    return 0;
  }

  /** Parses a block. Returns null for a block without data, such as a comment. */
  private @Nullable Event read(String block) {
    String event = "message";
    StringBuilder data = new StringBuilder();
    for (String line : block.split("\n")) {
      int colon = line.indexOf(':');
      String name = colon < 0 ? line : line.substring(0, colon);
      String value = colon < 0 ? "" : line.substring(colon + 1).trim();
      if (name.equals("event")) event = value;
      if (name.equals("data")) data.append(data.length() == 0 ? "" : "\n").append(value);
    }
    if (data.length() == 0) return null;
    try {
      return make.apply(event, Json.MAPPER.readTree(data.toString()));
    } catch (JsonProcessingException error) {
      throw ApiException.unexpected(200, "A change has another form than Posthorn's");
    }
  }
}
