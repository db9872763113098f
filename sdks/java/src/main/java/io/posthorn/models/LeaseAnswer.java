// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The leased messages, and the state of the messages that are still waiting. */
public final class LeaseAnswer extends Model {
  private LeaseAnswer(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static LeaseAnswer fromJson(JsonNode json) {
    return new LeaseAnswer(Json.object(json));
  }

  public List<LeasedMessage> messages() {
    return Json.list(json.path("messages"), LeasedMessage::fromJson);
  }

  /** The number of messages that can be leased now or later, up to 10,000. */
  public long waiting() {
    return json.path("waiting").asLong();
  }

  /** How long the first of these messages has been due, in seconds. Null if none is waiting. */
  public @Nullable Double oldestAgeSeconds() {
    return Json.orNull(json.path("oldestAgeSeconds"), JsonNode::asDouble);
  }
}
