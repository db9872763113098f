package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/** A value with one of several forms. */
public abstract class Union {
  final JsonNode json;

  Union(JsonNode json) {
    this.json = json;
  }

  /** A copy of the value, even if its form is one that this version does not know. */
  @JsonValue
  public final JsonNode toJson() {
    return json.deepCopy();
  }

  @Override
  public final boolean equals(@Nullable Object other) {
    return other != null && other.getClass() == getClass() && ((Union) other).json.equals(json);
  }

  @Override
  public final int hashCode() {
    return json.hashCode();
  }

  @Override
  public final String toString() {
    return getClass().getSimpleName();
  }
}
