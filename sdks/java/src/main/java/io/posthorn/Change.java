package io.posthorn;

import com.fasterxml.jackson.databind.JsonNode;

/** One event of a stream of changes. */
public abstract class Change {
  private final String name;
  private final JsonNode data;

  Change(String name, JsonNode data) {
    this.name = name;
    this.data = data;
  }

  /** The name of the event. A newer service may send a name that this version does not know. */
  public final String name() {
    return name;
  }

  public final JsonNode data() {
    return data;
  }
}
