// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** <code>UpdateAlertRuleBody</code> of the API. */
public final class UpdateAlertRuleBody extends Model {
  public UpdateAlertRuleBody() {
  }

  private UpdateAlertRuleBody(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static UpdateAlertRuleBody fromJson(JsonNode json) {
    return new UpdateAlertRuleBody(Json.object(json));
  }

  public UpdateAlertRuleBody name(String name) {
    putRequired("name", name);
    return this;
  }

  /**
   * The email address for <code>email</code>, the integration key of a service (Events API v2) for <code>pagerduty</code>, and the https
   * URL of the incoming webhook for the other channels.
   */
  public UpdateAlertRuleBody target(String target) {
    putRequired("target", target);
    return this;
  }

  /**
   * One of <code>posthorn.endpoint.disabled</code>, <code>posthorn.endpoint.failing</code>, <code>posthorn.endpoint.recovered</code>,
   * <code>posthorn.delivery.dead_letter</code>, <code>posthorn.delivery.failed</code>, <code>posthorn.operation.completed</code>,
   * <code>posthorn.api_key.expiring</code>, <code>posthorn.source.failing</code>, <code>posthorn.source.recovered</code>.
   */
  public UpdateAlertRuleBody events(List<String> events) {
    putRequired("events", events);
    return this;
  }

  public UpdateAlertRuleBody environmentId(@Nullable String environmentId) {
    put("environmentId", environmentId);
    return this;
  }

  public UpdateAlertRuleBody applicationId(@Nullable String applicationId) {
    put("applicationId", applicationId);
    return this;
  }

  /**
   * The minimum time in minutes between two messages about the same event. A message names up to 10 affected
   * endpoints.
   */
  public UpdateAlertRuleBody quietMinutes(int quietMinutes) {
    putRequired("quietMinutes", quietMinutes);
    return this;
  }
}
