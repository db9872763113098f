package io.posthorn.webhooks;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Verifies webhooks, and signs webhooks for the tests of a receiver. */
public final class Webhooks {
  private Webhooks() {}

  /**
   * Returns the webhook if a signature matches the secret ({@code whsec_…}) or public key ({@code whpk_…}), and the
   * timestamp is within five minutes of now. Otherwise throws a WebhookVerificationException. {@code headers} finds a
   * header by its name, such as {@code request::getHeader}. {@code body} is the body as it arrived, before any parsing.
   * A {@link Verifier} reads the secrets once, and can have another tolerance.
   */
  public static Webhook verify(String secret, Function<String, @Nullable String> headers, byte[] body) {
    return verify(List.of(secret), headers, body);
  }

  /**
   * Does the same with the headers as a map of texts or lists of texts. Names are case-insensitive; of a list, the
   * first text counts.
   */
  public static Webhook verify(String secret, Map<String, ?> headers, byte[] body) {
    return verify(List.of(secret), headers, body);
  }

  /** Does the same with several secrets, of which one must match. During the rotation of a secret, give both. */
  public static Webhook verify(
      Collection<String> secrets, Function<String, @Nullable String> headers, byte[] body) {
    return new Verifier(secrets).verify(headers, body);
  }

  /** Does the same with several secrets and the headers as a map. */
  public static Webhook verify(Collection<String> secrets, Map<String, ?> headers, byte[] body) {
    return new Verifier(secrets).verify(headers, body);
  }

  /** Returns the headers that Posthorn would send with the body now, for the tests of a receiver. */
  public static Map<String, String> sign(String secret, byte[] body) {
    return sign(secret, body, "msg_" + UUID.randomUUID(), Instant.now());
  }

  /** Returns the headers that Posthorn would send with the body at the given time, in whole seconds. */
  public static Map<String, String> sign(String secret, byte[] body, String id, Instant timestamp) {
    Key key = Key.read(secret);
    if (!(key instanceof Key.Secret)) {
      throw new WebhookVerificationException(Reason.INVALID_SECRET, "a public key cannot sign");
    }
    String seconds = String.valueOf(timestamp.getEpochSecond());
    byte[] before = (id + "." + seconds + ".").getBytes(StandardCharsets.UTF_8);
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("webhook-id", id);
    headers.put("webhook-timestamp", seconds);
    headers.put("webhook-signature", "v1," + Base64.getEncoder().encodeToString(((Key.Secret) key).sign(before, body)));
    return headers;
  }
}
