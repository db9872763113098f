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

  /** Endpoints with the ordering {@code fifo} receive the events of one ordering key one after the other. */
  public Self orderingKey(String orderingKey) {
    this.orderingKey = Settings.requireVisible("orderingKey", orderingKey);
    return self();
  }

  /** The event is not delivered before this time, which is at most 24 hours ahead. */
  public Self deliverAt(Instant deliverAt) {
    this.deliverAt = Json.text(deliverAt);
    return self();
  }

  /**
   * The content type of the payload. The default is {@code text/plain; charset=utf-8} for a String,
   * {@code application/octet-stream} for bytes and {@code application/json} for everything else.
   */
  public Self contentType(String contentType) {
    this.contentType = Settings.requirePrintable("contentType", contentType);
    return self();
  }
}
