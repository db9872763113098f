package io.posthorn;

import io.posthorn.internal.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The options of a call. */
public abstract class Options<Self extends Options<Self>> {
  final Map<String, String> query = new LinkedHashMap<>();
  @Nullable Duration timeout;
  @Nullable Integer retries;
  @Nullable String idempotencyKey;

  Options() {}

  /** Limits each try, until its answer is complete. The default is the timeout of the client. */
  public Self timeout(Duration timeout) {
    this.timeout = Settings.requireTimeout(timeout);
    return self();
  }

  /** How many times the request is tried again, from 0 to 10. The default is the number of the client. */
  public Self retries(int retries) {
    this.retries = Settings.requireRetries(retries);
    return self();
  }

  final void query(String name, Object value) {
    if (value == null) throw new OptionException(name, "must not be null: leave it out");
    query.put(name, textOf(value));
  }

  @SuppressWarnings("unchecked")
  final Self self() {
    return (Self) this;
  }

  private static String textOf(Object value) {
    if (value instanceof Instant) return Json.text((Instant) value);
    if (!(value instanceof Collection)) return value.toString();
    return ((Collection<?>) value).stream().map(Object::toString).collect(Collectors.joining(","));
  }
}
