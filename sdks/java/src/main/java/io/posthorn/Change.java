package io.posthorn;

import com.fasterxml.jackson.databind.JsonNode;

/** A change of a stream. */
public abstract class Change {
  private final String name;
  private final JsonNode data;

  Change(String name, JsonNode data) {
    this.name = name;
    this.data = data;
  }

  /** Its name, which may be one that this version does not know. */
  public final String name() {
    return name;
  }

  public final JsonNode data() {
    return data;
  }
}
