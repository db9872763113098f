// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.List;

/** <code>PromoteEnvironmentBody</code> of the API. */
public final class PromoteEnvironmentBody extends Model {
  public PromoteEnvironmentBody() {
  }

  private PromoteEnvironmentBody(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static PromoteEnvironmentBody fromJson(JsonNode json) {
    return new PromoteEnvironmentBody(Json.object(json));
  }

  /** Whether to also apply the settings of the environment (<code>requireApplication</code>). */
  public PromoteEnvironmentBody settings(boolean settings) {
    putRequired("settings", settings);
    return this;
  }

  /** <code>all</code>, or a list of event type ids. */
  public PromoteEnvironmentBody eventTypes(PromotedEventTypes eventTypes) {
    putRequired("eventTypes", eventTypes);
    return this;
  }

  public PromoteEnvironmentBody endpoints(List<EndpointToPromote> endpoints) {
    putRequired("endpoints", endpoints);
    return this;
  }

  public PromoteEnvironmentBody sources(List<SourceToPromote> sources) {
    putRequired("sources", sources);
    return this;
  }

  public PromoteEnvironmentBody dryRun(boolean dryRun) {
    putRequired("dryRun", dryRun);
    return this;
  }

  public PromoteEnvironmentBody prune(boolean prune) {
    putRequired("prune", prune);
    return this;
  }
}
