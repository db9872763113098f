package io.posthorn.webhooks;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Verifies webhooks with secrets that are read once. Many threads may use it at the same time. */
public final class Verifier {
  /** How far the timestamp of a webhook may be in the past or in the future, by default. */
  public static final Duration DEFAULT_TOLERANCE = Duration.ofMinutes(5);

  /** How many signatures of a header are read. The rest are ignored: anybody can send a request with very many. */
  private static final int MOST_SIGNATURES = 100;

  private final List<Key> keys;
  private final Duration tolerance;
  private final Clock clock;

  /** Takes the secrets ({@code whsec_…}) and public keys ({@code whpk_…}) of an endpoint. */
  public Verifier(String... secrets) {
    this(List.of(secrets));
  }

  /**
   * Takes the secrets ({@code whsec_…}) and public keys ({@code whpk_…}) of an endpoint. Throws a
   * WebhookVerificationException with the reason INVALID_SECRET for a secret that cannot be used.
   */
  public Verifier(Collection<String> secrets) {
    this(secrets.stream().map(Key::read).collect(Collectors.toList()), DEFAULT_TOLERANCE, Clock.systemUTC());
    if (keys.isEmpty()) throw new WebhookVerificationException(Reason.INVALID_SECRET, "no secret is given");
  }

  private Verifier(List<Key> keys, Duration tolerance, Clock clock) {
    this.keys = keys;
    this.tolerance = tolerance;
    this.clock = clock;
  }

  /** Returns a copy with another tolerance: how far the timestamp may be in the past or in the future. */
  public Verifier withTolerance(Duration tolerance) {
    return new Verifier(keys, tolerance, clock);
  }

  /** Returns a copy with another clock, for tests. */
  public Verifier withClock(Clock clock) {
    return new Verifier(keys, tolerance, clock);
  }

  /**
   * Verifies a webhook, with its headers as a map of texts or lists of texts. Names are case-insensitive; of a list,
   * the first text counts.
   */
  public Webhook verify(Map<String, ?> headers, byte[] body) {
    return verify(name -> header(headers, name), body);
  }

  /** Verifies a webhook, like {@link Webhooks#verify(String, Function, byte[])}. */
  public Webhook verify(Function<String, @Nullable String> headers, byte[] body) {
    String id = require(headers, "webhook-id");
    String seconds = require(headers, "webhook-timestamp");
    String signatures = require(headers, "webhook-signature");
    Instant timestamp = readTimestamp(seconds);
    Duration age = Duration.between(timestamp, clock.instant());
    if (age.compareTo(tolerance) > 0) {
      throw new WebhookVerificationException(Reason.TOO_OLD, "webhook-timestamp is too old");
    }
    if (age.negated().compareTo(tolerance) > 0) {
      throw new WebhookVerificationException(Reason.TOO_NEW, "webhook-timestamp is in the future");
    }
    byte[] before = (id + "." + seconds + ".").getBytes(StandardCharsets.UTF_8);
    String[] entries = signatures.split(" ", MOST_SIGNATURES + 1);
    for (int n = 0; n < Math.min(entries.length, MOST_SIGNATURES); n += 1) {
      int comma = entries[n].indexOf(',');
      byte[] signature = comma < 0 ? null : Key.fromBase64(entries[n].substring(comma + 1));
      if (signature == null) continue;
      String version = entries[n].substring(0, comma);
      for (Key key : keys) {
        if (!key.version().equals(version) || !key.matches(before, body, signature)) continue;
        return new Webhook(
            id,
            timestamp,
            body,
            headers.apply("webhook-event-type"),
            headers.apply("webhook-delivery-id"),
            headers.apply("content-type"),
            readAttempt(headers.apply("webhook-attempt")));
      }
    }
    String message = "no signature matches: the body was changed, or the secret is another";
    throw new WebhookVerificationException(Reason.NO_MATCHING_SIGNATURE, message);
  }

  private static String require(Function<String, @Nullable String> headers, String name) {
    String value = headers.apply(name);
    if (value != null && !value.isEmpty()) return value;
    throw new WebhookVerificationException(Reason.MISSING_HEADER, name + " is missing");
  }

  private static Instant readTimestamp(String seconds) {
    if (isNumber(seconds, 12)) return Instant.ofEpochSecond(Long.parseLong(seconds));
    String message = "webhook-timestamp is not a number of seconds";
    throw new WebhookVerificationException(Reason.INVALID_TIMESTAMP, message);
  }

  private static int readAttempt(@Nullable String attempt) {
    return attempt != null && isNumber(attempt, 9) ? Integer.parseInt(attempt) : 1;
  }

  private static boolean isNumber(String text, int mostDigits) {
    return !text.isEmpty() && text.length() <= mostDigits && text.chars().allMatch(one -> one >= '0' && one <= '9');
  }

  private static @Nullable String header(Map<String, ?> headers, String name) {
    for (Map.Entry<String, ?> header : headers.entrySet()) {
      // In some maps of headers, the name of the status line is null.
      if (header.getKey() == null || !header.getKey().equalsIgnoreCase(name)) continue;
      Object value = header.getValue();
      if (value instanceof Iterable) value = ((Iterable<?>) value).iterator().next();
      return String.valueOf(value);
    }
    return null;
  }
}
