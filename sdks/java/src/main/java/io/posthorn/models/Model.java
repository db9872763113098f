package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.OptionException;
import io.posthorn.internal.Json;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An object of the API. Its methods are the fields that this version knows; {@link #get} also reads newer fields. In a
 * body, a field that you do not set is left out, and null is sent as null. In an update, null clears a field.
 */
public abstract class Model {
  /** The fields that hold secrets. The {@code url} of a portal session contains its token. */
  private static final Set<String> HIDDEN =
      Set.of("secret", "key", "pullKey", "token", "url", "authPassword", "secretHeaders", "credentials");

  final ObjectNode json;

  Model() {
    this(JsonNodeFactory.instance.objectNode());
  }

  Model(ObjectNode json) {
    this.json = json;
  }

  /** The field with this name in the API; null if it is missing. */
  public final @Nullable JsonNode get(String name) {
    return json.get(name);
  }

  /** A copy of the object as it arrived or will be sent, including the fields that this version does not know. */
  @JsonValue
  public final ObjectNode toJson() {
    return json.deepCopy();
  }

  final void put(String name, @Nullable Object value) {
    json.set(name, Json.toNode(value));
  }

  final void putRequired(String name, @Nullable Object value) {
    if (value == null) throw new OptionException(name, "must not be null: leave it out");
    put(name, value);
  }

  /** Sets a payload. The mapper of the client writes it when it is sent, even if it is a map or a list. */
  final void putJson(String name, @Nullable Object value) {
    boolean isOwn = value != null && !(value instanceof JsonNode) && !(value instanceof String);
    if (isOwn) json.putPOJO(name, value);
    else put(name, value);
  }

  @Override
  public final boolean equals(@Nullable Object other) {
    return other != null && other.getClass() == getClass() && ((Model) other).json.equals(json);
  }

  @Override
  public final int hashCode() {
    return json.hashCode();
  }

  /** Shows the fields, but hides secrets, which do not belong in a log. */
  @Override
  public final String toString() {
    StringBuilder text = new StringBuilder(getClass().getSimpleName()).append('(');
    Iterator<Map.Entry<String, JsonNode>> fields = json.properties().iterator();
    while (fields.hasNext()) {
      Map.Entry<String, JsonNode> field = fields.next();
      boolean isHidden = HIDDEN.contains(field.getKey()) && !field.getValue().isNull();
      text.append(field.getKey()).append('=').append(isHidden ? "…" : shown(field.getValue()));
      if (fields.hasNext()) text.append(", ");
    }
    return text.append(')').toString();
  }

  /** Hides the content of objects and arrays: they may contain secrets, too. */
  private static String shown(JsonNode value) {
    return value.isContainerNode() ? (value.isArray() ? "[…]" : "{…}") : value.toString();
  }
}
