// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import org.jspecify.annotations.Nullable;

/** The location of the event type in a record, or a fixed event type. */
public final class SourceEventType extends Model {
  public SourceEventType() {
  }

  private SourceEventType(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static SourceEventType fromJson(JsonNode json) {
    return new SourceEventType(Json.object(json));
  }

  /** The name of a record header. */
  public @Nullable String header() {
    return Json.text(json.path("header"));
  }

  /** The name of a record header. */
  public SourceEventType header(String header) {
    putRequired("header", header);
    return this;
  }

  /** A JSON pointer into the record value (RFC 6901). */
  public @Nullable String pointer() {
    return Json.text(json.path("pointer"));
  }

  /** A JSON pointer into the record value (RFC 6901). */
  public SourceEventType pointer(String pointer) {
    putRequired("pointer", pointer);
    return this;
  }

  public @Nullable String fixed() {
    return Json.text(json.path("fixed"));
  }

  public SourceEventType fixed(String fixed) {
    putRequired("fixed", fixed);
    return this;
  }
}
