// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import com.fasterxml.jackson.databind.JsonNode;
import io.posthorn.internal.Json;
import io.posthorn.models.*;
import org.jspecify.annotations.Nullable;

/** An event of <code>streamChanges</code>. */
public final class StreamChangesEvent extends Change {
  StreamChangesEvent(String name, JsonNode data) {
    super(name, data);
  }

  /** Null when the change is no <code>delivery</code>. */
  public @Nullable Delivery delivery() {
    return name().equals("delivery") ? Json.orNull(data(), Delivery::fromJson) : null;
  }

  /** Null when the change is no <code>event</code>. */
  public @Nullable AcceptedEvent event() {
    return name().equals("event") ? Json.orNull(data(), AcceptedEvent::fromJson) : null;
  }

  /** Null when the change is no <code>gap</code>. */
  public @Nullable LiveGap gap() {
    return name().equals("gap") ? Json.orNull(data(), LiveGap::fromJson) : null;
  }
}
