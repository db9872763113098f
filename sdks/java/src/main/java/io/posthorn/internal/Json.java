package io.posthorn.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.models.Model;
import io.posthorn.models.OpenEnum;
import io.posthorn.models.Union;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads and writes the JSON of the generated classes. It is internal, and may change with each version. */
public final class Json {
  /**
   * Reads answers, and writes payloads if the client has no mapper of its own. It sorts the keys of maps: those of
   * {@code Map.of} have another order in each JVM, and a call that is repeated with its idempotency key must send the
   * same bytes.
   */
  public static final ObjectMapper MAPPER =
      new ObjectMapper().configure(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS, true);

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  private Json() {}

  /** The node as an object. Throws an IllegalArgumentException for anything else. */
  public static ObjectNode object(JsonNode node) {
    if (node instanceof ObjectNode) return (ObjectNode) node;
    throw new IllegalArgumentException("an object was expected");
  }

  /** The text of a scalar; null if the node is null or missing. */
  public static @Nullable String text(JsonNode node) {
    return isNothing(node) ? null : node.asText();
  }

  /** The text as a class of its own; null if the node is null or missing. */
  public static <T> @Nullable T textOf(JsonNode node, Function<String, T> make) {
    return isNothing(node) ? null : make.apply(node.asText());
  }

  /** The text of a text node; null for any other node. */
  public static @Nullable String onlyText(JsonNode node) {
    return node.isTextual() ? node.textValue() : null;
  }

  public static @Nullable Instant time(JsonNode node) {
    if (isNothing(node)) return null;
    try {
      return OffsetDateTime.parse(node.asText()).toInstant();
    } catch (DateTimeParseException error) {
      throw new IllegalArgumentException("a time was expected", error);
    }
  }

  /** The time in RFC 3339 with milliseconds, as the API writes times. */
  public static String text(Instant time) {
    return TIME.format(time);
  }

  /** The value as a String, Boolean or Number; null for any other node. */
  public static @Nullable Object scalar(JsonNode node) {
    if (node.isTextual()) return node.textValue();
    if (node.isBoolean()) return node.booleanValue();
    return node.isNumber() ? node.numberValue() : null;
  }

  /** The value that {@code read} returns; null if the node is null or missing. */
  public static <T> @Nullable T orNull(JsonNode node, Function<JsonNode, T> read) {
    return isNothing(node) ? null : read.apply(node);
  }

  /** Reads an object in the form that has the required fields; null for a node of another form. */
  public static <T> @Nullable T form(JsonNode node, Function<JsonNode, T> read, String... required) {
    if (!node.isObject()) return null;
    for (String name : required) if (!node.has(name)) return null;
    return read.apply(node);
  }

  /** The items of an array; empty if the node is null or missing, such as a field that is newer than the service. */
  public static <T> List<T> list(JsonNode node, Function<JsonNode, T> read) {
    List<T> items = new ArrayList<>(node.size());
    if (node.isArray()) for (JsonNode item : node) items.add(read.apply(item));
    return Collections.unmodifiableList(items);
  }

  public static <T> @Nullable List<T> listOrNull(JsonNode node, Function<JsonNode, T> read) {
    return node.isArray() ? list(node, read) : null;
  }

  /** The fields of an object; empty if the node is null or missing. */
  public static <T> Map<String, T> map(JsonNode node, Function<JsonNode, T> read) {
    Map<String, T> values = new LinkedHashMap<>();
    node.properties().forEach(field -> values.put(field.getKey(), read.apply(field.getValue())));
    return Collections.unmodifiableMap(values);
  }

  public static <T> @Nullable Map<String, T> mapOrNull(JsonNode node, Function<JsonNode, T> read) {
    return node.isObject() ? map(node, read) : null;
  }

  /** The value of a setter as JSON. The mapper of the client writes an object of the caller's own when it is sent. */
  public static JsonNode toNode(@Nullable Object value) {
    if (value == null) return NODES.nullNode();
    if (value instanceof JsonNode) return (JsonNode) value;
    if (value instanceof Model) return ((Model) value).toJson();
    if (value instanceof Union) return ((Union) value).toJson();
    if (value instanceof OpenEnum) return NODES.textNode(((OpenEnum) value).value());
    if (value instanceof String) return NODES.textNode((String) value);
    if (value instanceof Boolean) return NODES.booleanNode((Boolean) value);
    if (value instanceof Integer) return NODES.numberNode((Integer) value);
    if (value instanceof Long) return NODES.numberNode((Long) value);
    if (value instanceof Double) return NODES.numberNode((Double) value);
    if (value instanceof Instant) return NODES.textNode(text((Instant) value));
    if (value instanceof Collection) {
      ArrayNode items = NODES.arrayNode();
      for (Object item : (Collection<?>) value) items.add(toNode(item));
      return items;
    }
    if (value instanceof Map) {
      Map<String, JsonNode> sorted = new TreeMap<>();
      ((Map<?, ?>) value).forEach((name, field) -> sorted.put(String.valueOf(name), toNode(field)));
      return NODES.objectNode().setAll(sorted);
    }
    return NODES.pojoNode(value);
  }

  private static boolean isNothing(JsonNode node) {
    return node.isNull() || node.isMissingNode();
  }
}
