// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import org.jspecify.annotations.Nullable;

/** <code>DoctorReportChecksItem</code> of the API. */
public final class DoctorReportChecksItem extends Model {
  private DoctorReportChecksItem(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static DoctorReportChecksItem fromJson(JsonNode json) {
    return new DoctorReportChecksItem(Json.object(json));
  }

  /**
   * One of <code>dns</code>, <code>tcp</code>, <code>tls</code>, <code>certificate</code>, <code>oauth2</code>, <code>http</code>, <code>redirect</code>, <code>latency</code>, <code>signature</code>, <code>replay</code>,
   * <code>body</code>, <code>target</code>, <code>publish</code>.
   */
  public String name() {
    return Json.text(json.path("name"));
  }

  /** One of <code>pass</code>, <code>warn</code>, <code>fail</code>, <code>skipped</code>. */
  public String outcome() {
    return Json.text(json.path("outcome"));
  }

  public String detail() {
    return Json.text(json.path("detail"));
  }

  /** What to change. Null if nothing needs to be changed. */
  public @Nullable String advice() {
    return Json.text(json.path("advice"));
  }

  public double durationMs() {
    return json.path("durationMs").asDouble();
  }
}
