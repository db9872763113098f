// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import org.jspecify.annotations.Nullable;

/** The location of the application's <code>externalId</code> in a record. */
public final class SourceApplication extends Model {
  public SourceApplication() {
  }

  private SourceApplication(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static SourceApplication fromJson(JsonNode json) {
    return new SourceApplication(Json.object(json));
  }

  /** The name of a record header. */
  public @Nullable String header() {
    return Json.text(json.path("header"));
  }

  /** The name of a record header. */
  public SourceApplication header(String header) {
    putRequired("header", header);
    return this;
  }

  /** A JSON pointer into the record value (RFC 6901). */
  public @Nullable String pointer() {
    return Json.text(json.path("pointer"));
  }

  /** A JSON pointer into the record value (RFC 6901). */
  public SourceApplication pointer(String pointer) {
    putRequired("pointer", pointer);
    return this;
  }
}
