// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import io.posthorn.internal.Json;
import org.jspecify.annotations.Nullable;

/** <code>Destination</code> has one of several forms. */
public final class Destination extends Union {
  private Destination(JsonNode json) {
    super(json);
  }

  /** Reads the JSON of the API, even in a form that this version does not know. */
  @JsonCreator
  public static Destination fromJson(JsonNode json) {
    return new Destination(json);
  }

  public static Destination of(RabbitmqDestination value) {
    return new Destination(Json.toNode(value));
  }

  /** Returns the value in this form, or null if it has another form. */
  public @Nullable RabbitmqDestination asRabbitmqDestination() {
    return Json.form(json, RabbitmqDestination::fromJson, "host");
  }

  public static Destination of(KafkaDestination value) {
    return new Destination(Json.toNode(value));
  }

  /** Returns the value in this form, or null if it has another form. */
  public @Nullable KafkaDestination asKafkaDestination() {
    return Json.form(json, KafkaDestination::fromJson, "brokers", "topic");
  }

  public static Destination of(NatsDestination value) {
    return new Destination(Json.toNode(value));
  }

  /** Returns the value in this form, or null if it has another form. */
  public @Nullable NatsDestination asNatsDestination() {
    return Json.form(json, NatsDestination::fromJson, "servers");
  }

  public static Destination of(SqsDestination value) {
    return new Destination(Json.toNode(value));
  }

  /** Returns the value in this form, or null if it has another form. */
  public @Nullable SqsDestination asSqsDestination() {
    return Json.form(json, SqsDestination::fromJson, "queueUrl");
  }

  public static Destination of(SnsDestination value) {
    return new Destination(Json.toNode(value));
  }

  /** Returns the value in this form, or null if it has another form. */
  public @Nullable SnsDestination asSnsDestination() {
    return Json.form(json, SnsDestination::fromJson, "topicArn");
  }

  public static Destination of(KinesisDestination value) {
    return new Destination(Json.toNode(value));
  }

  /** Returns the value in this form, or null if it has another form. */
  public @Nullable KinesisDestination asKinesisDestination() {
    return Json.form(json, KinesisDestination::fromJson, "streamName", "region");
  }

  public static Destination of(EventbridgeDestination value) {
    return new Destination(Json.toNode(value));
  }

  /** Returns the value in this form, or null if it has another form. */
  public @Nullable EventbridgeDestination asEventbridgeDestination() {
    return Json.form(json, EventbridgeDestination::fromJson, "eventBusName", "region");
  }

  public static Destination of(S3Destination value) {
    return new Destination(Json.toNode(value));
  }

  /** Returns the value in this form, or null if it has another form. */
  public @Nullable S3Destination asS3Destination() {
    return Json.form(json, S3Destination::fromJson, "bucket", "region");
  }

  public static Destination of(PubsubDestination value) {
    return new Destination(Json.toNode(value));
  }

  /** Returns the value in this form, or null if it has another form. */
  public @Nullable PubsubDestination asPubsubDestination() {
    return Json.form(json, PubsubDestination::fromJson, "projectId", "topicId");
  }
}
