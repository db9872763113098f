// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Statistics: <code>series</code> and <code>totals</code>, or <code>groups</code> if <code>group_by</code> is set. */
public final class Stats extends Model {
  private Stats(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static Stats fromJson(JsonNode json) {
    return new Stats(Json.object(json));
  }

  public Instant from() {
    return Json.time(json.path("from"));
  }

  public Instant to() {
    return Json.time(json.path("to"));
  }

  /** One of <code>minute</code>, <code>hour</code>, <code>day</code>. */
  public String step() {
    return Json.text(json.path("step"));
  }

  public @Nullable CatchingUp catchingUp() {
    return Json.orNull(json.path("catchingUp"), CatchingUp::fromJson);
  }

  public @Nullable List<StatsPoint> series() {
    return Json.listOrNull(json.path("series"), StatsPoint::fromJson);
  }

  public @Nullable StatsTotals totals() {
    return Json.orNull(json.path("totals"), StatsTotals::fromJson);
  }

  public @Nullable List<StatsGroupsItem> groups() {
    return Json.listOrNull(json.path("groups"), StatsGroupsItem::fromJson);
  }
}
