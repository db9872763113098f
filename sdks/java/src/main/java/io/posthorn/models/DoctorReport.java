// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;
import java.util.List;

/** The result of examining an endpoint, check by check. */
public final class DoctorReport extends Model {
  private DoctorReport(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static DoctorReport fromJson(JsonNode json) {
    return new DoctorReport(Json.object(json));
  }

  public String endpointId() {
    return Json.text(json.path("endpointId"));
  }

  /** One of <code>healthy</code>, <code>warning</code>, <code>broken</code>. */
  public String verdict() {
    return Json.text(json.path("verdict"));
  }

  public List<DoctorReportChecksItem> checks() {
    return Json.list(json.path("checks"), DoctorReportChecksItem::fromJson);
  }

  public Instant startedAt() {
    return Json.time(json.path("startedAt"));
  }

  public double durationMs() {
    return json.path("durationMs").asDouble();
  }
}
