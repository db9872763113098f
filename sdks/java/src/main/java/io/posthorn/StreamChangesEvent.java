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

  /** Returns the data of a <code>delivery</code>, or null if the change has another name. */
  public @Nullable Delivery delivery() {
    return name().equals("delivery") ? Json.orNull(data(), Delivery::fromJson) : null;
  }

  /** Returns the data of a <code>event</code>, or null if the change has another name. */
  public @Nullable AcceptedEvent event() {
    return name().equals("event") ? Json.orNull(data(), AcceptedEvent::fromJson) : null;
  }

  /** Returns the data of a <code>gap</code>, or null if the change has another name. */
  public @Nullable LiveGap gap() {
    return name().equals("gap") ? Json.orNull(data(), LiveGap::fromJson) : null;
  }
}
