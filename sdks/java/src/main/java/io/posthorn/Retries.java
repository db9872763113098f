package io.posthorn;

import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** Decides when a request is sent again. */
final class Retries {
  private static final Set<Integer> RETRIED = Set.of(408, 429, 500, 502, 503, 504);
  private static final long LONGEST_RETRY_AFTER_SECONDS = 60;
  private static final double FIRST_PAUSE_MS = 200;
  private static final double LONGEST_PAUSE_MS = 5_000;

  private Retries() {}

  /** The milliseconds until the next try, or null if there is none. {@code tries} counts the tries so far. */
  static @Nullable Long pauseMs(PosthornException failure, int tries, int retries) {
    if (tries > retries) return null;
    if (failure instanceof ApiException) {
      ApiException refusal = (ApiException) failure;
      if (!RETRIED.contains(refusal.status())) return null;
      Long after = refusal.retryAfter();
      if (after != null) return after <= LONGEST_RETRY_AFTER_SECONDS ? after * 1_000 : null;
    }
    double most = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * Math.pow(2, tries - 1));
    return (long) (ThreadLocalRandom.current().nextDouble() * most);
  }

  /** Reads the seconds of a {@code Retry-After}, which is a number or a date. Returns null for anything else. */
  static @Nullable Long readRetryAfter(@Nullable String header, Instant now) {
    String text = header == null ? "" : header.trim();
    if (text.matches("[0-9]{1,9}")) return Long.valueOf(text);
    // An HTTP date is always in GMT (RFC 9110). Refuse dates in other zones.
    if (!text.endsWith(" GMT")) return null;
    try {
      Instant at = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
      return Math.max(0, (at.toEpochMilli() - now.toEpochMilli() + 999) / 1_000);
    } catch (DateTimeParseException error) {
      return null;
    }
  }
}
