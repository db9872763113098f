// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The usage of an application in a day or month. */
public final class UsageRow extends Model {
  private UsageRow(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static UsageRow fromJson(JsonNode json) {
    return new UsageRow(Json.object(json));
  }

  /** The start of the day or month, in UTC. */
  public Instant from() {
    return Json.time(json.path("from"));
  }

  /** The start of the next day or month. */
  public Instant to() {
    return Json.time(json.path("to"));
  }

  /** The application. Null for usage that belongs to no application. */
  public @Nullable String applicationId() {
    return Json.text(json.path("applicationId"));
  }

  public @Nullable String externalId() {
    return Json.text(json.path("externalId"));
  }

  /** The current name of the application, or <code>Erased</code> after its erasure. */
  public @Nullable String name() {
    return Json.text(json.path("name"));
  }

  /** The number of events that were accepted for the application. */
  public long events() {
    return json.path("events").asLong();
  }

  /** The number of deliveries that were created for its endpoints. */
  public long deliveries() {
    return json.path("deliveries").asLong();
  }

  /** The number of attempts to its endpoints that ended. */
  public long attempts() {
    return json.path("attempts").asLong();
  }

  /** The total size of the payloads of its events, in bytes. */
  public long bytes() {
    return json.path("bytes").asLong();
  }

  /** Whether the counts of this day or month can still increase. */
  public boolean provisional() {
    return json.path("provisional").asBoolean();
  }
}
