package io.posthorn;

import io.posthorn.internal.Json;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The options of an event. */
public abstract class EventOptions<Self extends EventOptions<Self>> extends KeyedOptions<Self> {
  @Nullable String application;
  @Nullable String orderingKey;
  @Nullable String deliverAt;
  @Nullable String contentType;

  EventOptions() {}

  /** At endpoints with the ordering {@code fifo}, the events of one key arrive one after the other. */
  public Self orderingKey(String orderingKey) {
    this.orderingKey = Settings.requireVisible("orderingKey", orderingKey);
    return self();
  }

  /** Not delivered before, at most 24 hours ahead. */
  public Self deliverAt(Instant deliverAt) {
    this.deliverAt = Json.text(deliverAt);
    return self();
  }

  /**
   * Else {@code application/json} for what is made JSON, {@code text/plain; charset=utf-8} for a String and {@code application/octet-stream}
   * for bytes.
   */
  public Self contentType(String contentType) {
    this.contentType = Settings.requirePrintable("contentType", contentType);
    return self();
  }
}
