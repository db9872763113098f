package io.posthorn;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.models.BatchEvent;
import io.posthorn.models.BatchResult;
import io.posthorn.models.DirectIngestAnswer;
import io.posthorn.models.IngestAnswer;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Sends events, with an API key. */
public abstract class Ingestion extends Resource {
  private static final int BATCH_EVENTS = 100;
  private static final int BATCH_BYTES = 1 << 20;
  private static final byte[] BEFORE = "{\"events\":[".getBytes(StandardCharsets.UTF_8);
  private static final byte[] BEHIND = "]}".getBytes(StandardCharsets.UTF_8);

  Ingestion(Transport transport) {
    super(transport);
  }

  /**
   * Sends an event to every endpoint that subscribes to its type. A String and bytes are sent as they are; the mapper
   * of the client writes every other value as JSON. When this method returns, the service has stored the event.
   */
  public IngestAnswer send(String eventType, @Nullable Object payload, SendOptions options) {
    return send(new Call("POST", "/api/ingest/event/{eventType}", eventType), payload, options, IngestAnswer::fromJson);
  }

  /** Sends an event to one endpoint, without an event type. */
  public DirectIngestAnswer sendDirect(String endpointId, @Nullable Object payload) {
    return sendDirect(endpointId, payload, new DirectOptions());
  }

  /** Sends an event to one endpoint, without an event type. */
  public DirectIngestAnswer sendDirect(String endpointId, @Nullable Object payload, DirectOptions options) {
    return send(new Call("POST", "/api/ingest/{endpointId}", endpointId), payload, options, DirectIngestAnswer::fromJson);
  }

  /** Sends events that each name their endpoint or their application. */
  public List<BatchResult> sendBatch(List<BatchEvent> events) {
    return sendBatch(events, new BatchOptions());
  }

  /**
   * Sends any number of events, in requests of at most 100 events and 1 MiB, one after the other. The results are in the
   * order of the events. A refused event has an {@code error} in its result and does not stop the others. If a request
   * fails after an earlier one succeeded, the BatchException has the results so far and the remaining events.
   */
  public List<BatchResult> sendBatch(List<BatchEvent> events, BatchOptions options) {
    List<ObjectNode> keyed = events.stream().map(event -> keyed(event, options)).collect(Collectors.toList());
    List<BatchResult> results = new ArrayList<>();
    for (List<byte[]> part : split(keyed)) {
      try {
        results.addAll(sendPart(part, options));
      } catch (PosthornException error) {
        // A single event that is too large for a request does not stop the others.
        if (part.size() == 1 && isTooLarge(error)) {
          results.add(refused((ApiException) error));
          continue;
        }
        if (results.isEmpty()) throw error;
        List<BatchEvent> unsent = keyed.subList(results.size(), keyed.size()).stream()
            .map(BatchEvent::fromJson).collect(Collectors.toList());
        throw new BatchException(results, unsent, error);
      }
    }
    return results;
  }

  private <T> T send(Call call, @Nullable Object payload, EventOptions<?> options, Function<JsonNode, T> decode) {
    byte[] content;
    String kind;
    if (payload instanceof byte[]) {
      // Copy the bytes: the caller may change them during retries.
      content = ((byte[]) payload).clone();
      kind = "application/octet-stream";
    } else if (payload instanceof String) {
      content = ((String) payload).getBytes(StandardCharsets.UTF_8);
      kind = "text/plain; charset=utf-8";
    } else {
      content = transport.toJson("payload", payload);
      kind = "application/json";
    }
    call.credential(Call.Credential.API_KEY, null).keyed()
        .content(content, options.contentType == null ? kind : options.contentType)
        .header("x-application-id", options.application)
        .header("x-ordering-key", options.orderingKey)
        .header("x-deliver-at", options.deliverAt);
    return transport.request(call, options, answer -> {
      // An answer without an id comes from another server, and the event was not accepted.
      if (!answer.path("id").isTextual()) throw new IllegalArgumentException("an id was expected");
      return decode.apply(answer);
    });
  }

  private static ObjectNode keyed(BatchEvent event, BatchOptions options) {
    ObjectNode fields = event.toJson();
    if (!fields.hasNonNull("endpointId")) {
      String application =
          fields.hasNonNull("applicationId") ? fields.get("applicationId").asText() : options.application;
      if (application == null) {
        throw new OptionException("application", "is required for an event without an applicationId");
      }
      fields.put("applicationId", Settings.requireVisible("application", application));
    }
    if (!fields.hasNonNull("idempotencyKey")) fields.put("idempotencyKey", Transport.newKey());
    return fields;
  }

  /** Makes parts of at most 100 events and 1 MiB. A larger event is a part of its own: the server refuses it. */
  private List<List<byte[]>> split(List<ObjectNode> events) {
    List<List<byte[]>> parts = new ArrayList<>();
    List<byte[]> last = new ArrayList<>();
    int size = 0;
    for (ObjectNode event : events) {
      byte[] text = transport.toJson("events", event);
      if (last.isEmpty() || last.size() == BATCH_EVENTS || size + text.length + 1 > BATCH_BYTES) {
        last = new ArrayList<>();
        parts.add(last);
        size = BEFORE.length + BEHIND.length;
      }
      last.add(text);
      size += text.length + 1;
    }
    return parts;
  }

  private List<BatchResult> sendPart(List<byte[]> texts, BatchOptions options) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    content.writeBytes(BEFORE);
    for (int n = 0; n < texts.size(); n += 1) {
      if (n > 0) content.write(',');
      content.writeBytes(texts.get(n));
    }
    content.writeBytes(BEHIND);
    // The request needs no idempotency key: each event has its own.
    Call call = new Call("POST", "/api/ingest/batch").credential(Call.Credential.API_KEY, null)
        .content(content.toByteArray(), "application/json");
    return transport.request(call, options, answer -> {
      List<BatchResult> results =
          Transport.requireList(answer, "results").stream().map(BatchResult::fromJson).collect(Collectors.toList());
      if (results.size() == texts.size()) return results;
      String message = "The answer to a batch of " + texts.size() + " events has not as many results";
      throw ApiException.unexpected(202, message);
    });
  }

  private static boolean isTooLarge(PosthornException error) {
    return error instanceof ApiException && ((ApiException) error).code().value().equals("payload_too_large");
  }

  private static BatchResult refused(ApiException error) {
    ObjectNode result = JsonNodeFactory.instance.objectNode();
    result.putObject("error").put("code", error.code().value()).put("message", error.plainMessage());
    return BatchResult.fromJson(result);
  }
}
