// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** <code>CreateAlertRuleBody</code> of the API. */
public final class CreateAlertRuleBody extends Model {
  /** Takes the required fields. */
  public CreateAlertRuleBody(String name, AlertChannel channel, String target, List<String> events) {
    putRequired("name", name);
    putRequired("channel", channel);
    putRequired("target", target);
    putRequired("events", events);
  }

  private CreateAlertRuleBody(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static CreateAlertRuleBody fromJson(JsonNode json) {
    return new CreateAlertRuleBody(Json.object(json));
  }

  public CreateAlertRuleBody name(String name) {
    putRequired("name", name);
    return this;
  }

  public CreateAlertRuleBody channel(AlertChannel channel) {
    putRequired("channel", channel);
    return this;
  }

  /**
   * The email address for <code>email</code>, the integration key of a service (Events API v2) for <code>pagerduty</code>, and the https
   * URL of the incoming webhook for the other channels.
   */
  public CreateAlertRuleBody target(String target) {
    putRequired("target", target);
    return this;
  }

  /**
   * One of <code>posthorn.endpoint.disabled</code>, <code>posthorn.endpoint.failing</code>, <code>posthorn.endpoint.recovered</code>,
   * <code>posthorn.delivery.dead_letter</code>, <code>posthorn.delivery.failed</code>, <code>posthorn.operation.completed</code>,
   * <code>posthorn.api_key.expiring</code>, <code>posthorn.source.failing</code>, <code>posthorn.source.recovered</code>.
   */
  public CreateAlertRuleBody events(List<String> events) {
    putRequired("events", events);
    return this;
  }

  public CreateAlertRuleBody environmentId(@Nullable String environmentId) {
    put("environmentId", environmentId);
    return this;
  }

  public CreateAlertRuleBody applicationId(@Nullable String applicationId) {
    put("applicationId", applicationId);
    return this;
  }

  /**
   * The minimum time in minutes between two messages about the same event. A message names up to 10 affected
   * endpoints.
   */
  public CreateAlertRuleBody quietMinutes(int quietMinutes) {
    putRequired("quietMinutes", quietMinutes);
    return this;
  }
}
