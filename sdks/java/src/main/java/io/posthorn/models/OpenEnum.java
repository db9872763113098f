package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonValue;
import org.jspecify.annotations.Nullable;

/** An enum that newer services may extend: this version knows some of its values. Compare with {@link #equals}. */
public abstract class OpenEnum {
  private final String value;

  OpenEnum(String value) {
    if (value == null) throw new IllegalArgumentException("a value must not be null");
    this.value = value;
  }

  /** The value as the API writes it. */
  @JsonValue
  public final String value() {
    return value;
  }

  @Override
  public final boolean equals(@Nullable Object other) {
    return other != null && other.getClass() == getClass() && ((OpenEnum) other).value.equals(value);
  }

  @Override
  public final int hashCode() {
    return value.hashCode();
  }

  @Override
  public final String toString() {
    return value;
  }
}
