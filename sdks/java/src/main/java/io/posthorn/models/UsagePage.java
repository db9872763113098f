// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A page of usage, sorted by application and then by time. */
public final class UsagePage extends Model {
  private UsagePage(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static UsagePage fromJson(JsonNode json) {
    return new UsagePage(Json.object(json));
  }

  public Instant from() {
    return Json.time(json.path("from"));
  }

  public Instant to() {
    return Json.time(json.path("to"));
  }

  /** One of <code>day</code>, <code>month</code>. */
  public String step() {
    return Json.text(json.path("step"));
  }

  /** The time up to which usage has been counted. */
  public Instant countedTo() {
    return Json.time(json.path("countedTo"));
  }

  public List<UsageRow> usage() {
    return Json.list(json.path("usage"), UsageRow::fromJson);
  }

  public @Nullable String nextCursor() {
    return Json.text(json.path("nextCursor"));
  }
}
