// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A delivery that a consumer has leased. */
public final class LeasedMessage extends Model {
  private LeasedMessage(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static LeasedMessage fromJson(JsonNode json) {
    return new LeasedMessage(Json.object(json));
  }

  public String deliveryId() {
    return Json.text(json.path("deliveryId"));
  }

  /** The token of the lease. Send it with each ack, nack and extend. */
  public String leaseToken() {
    return Json.text(json.path("leaseToken"));
  }

  public Instant leasedUntil() {
    return Json.time(json.path("leasedUntil"));
  }

  public long attemptNumber() {
    return json.path("attemptNumber").asLong();
  }

  public String eventId() {
    return Json.text(json.path("eventId"));
  }

  public @Nullable String eventType() {
    return Json.text(json.path("eventType"));
  }

  public Instant createdAt() {
    return Json.time(json.path("createdAt"));
  }

  public @Nullable String orderingKey() {
    return Json.text(json.path("orderingKey"));
  }

  /** The headers of a webhook, including <code>webhook-signature</code>. */
  public Map<String, String> headers() {
    return Json.map(json.path("headers"), item -> Json.text(item));
  }

  /** The signed bytes, in base64. */
  public String body() {
    return Json.text(json.path("body"));
  }
}
