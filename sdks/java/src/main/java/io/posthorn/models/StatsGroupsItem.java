// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import org.jspecify.annotations.Nullable;

/** <code>StatsGroupsItem</code> of the API. */
public final class StatsGroupsItem extends Model {
  private StatsGroupsItem(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static StatsGroupsItem fromJson(JsonNode json) {
    return new StatsGroupsItem(Json.object(json));
  }

  /**
   * The key of the group: the id of an endpoint, the name of an event type (null for direct ingestion), or a
   * status.
   */
  public @Nullable String key() {
    return Json.text(json.path("key"));
  }

  public StatsGroupsItemTotals totals() {
    return Json.orNull(json.path("totals"), StatsGroupsItemTotals::fromJson);
  }
}
