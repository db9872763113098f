package io.posthorn.webhooks;

import com.fasterxml.jackson.databind.JsonNode;
import io.posthorn.internal.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A genuine webhook. The signature does not cover the type, the delivery id, the attempt and the content type. */
public final class Webhook {
  private final String id;
  private final Instant timestamp;
  private final byte[] payload;
  private final @Nullable String type;
  private final @Nullable String deliveryId;
  private final @Nullable String contentType;
  private final int attempt;

  Webhook(
      String id,
      Instant timestamp,
      byte[] payload,
      @Nullable String type,
      @Nullable String deliveryId,
      @Nullable String contentType,
      int attempt) {
    this.id = id;
    this.timestamp = timestamp;
    this.payload = payload;
    this.type = type;
    this.deliveryId = deliveryId;
    this.contentType = contentType;
    this.attempt = attempt;
  }

  /** The event's id, the same in every attempt: a webhook with an id that you have seen is a repetition. */
  public String id() {
    return id;
  }

  /** The time of this attempt. */
  public Instant timestamp() {
    return timestamp;
  }

  /** The signed bytes. */
  public byte[] payload() {
    return payload;
  }

  /** The event type; null for an event that was sent to this endpoint alone. */
  public @Nullable String type() {
    return type;
  }

  public @Nullable String deliveryId() {
    return deliveryId;
  }

  /** The content type that the producer sent. */
  public @Nullable String contentType() {
    return contentType;
  }

  /** Counts the attempts of this delivery from 1. */
  public int attempt() {
    return attempt;
  }

  /** The payload as UTF-8. */
  public String text() {
    return new String(payload, StandardCharsets.UTF_8);
  }

  /** The payload as JSON. Throws an UncheckedIOException if it is not JSON. */
  public JsonNode json() {
    return json(JsonNode.class);
  }

  /** The payload as a class of your own, such as a class that {@code posthorn types --lang java} generates. */
  public <T> T json(Class<T> type) {
    try {
      return Json.MAPPER.readValue(payload, type);
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }
}
