package io.posthorn;

/** The options of a call that changes something once, however often it is sent. */
public abstract class KeyedOptions<Self extends KeyedOptions<Self>> extends Options<Self> {
  KeyedOptions() {}

  /** Within 24 hours, a request with the same key is done once. The library makes a key where you give none. */
  public Self idempotencyKey(String idempotencyKey) {
    this.idempotencyKey = Settings.requireVisible("idempotencyKey", idempotencyKey);
    return self();
  }
}
