package io.posthorn;

/** The options of a call with an idempotency key, which takes effect once even if it is sent again. */
public abstract class KeyedOptions<Self extends KeyedOptions<Self>> extends Options<Self> {
  KeyedOptions() {}

  /** Within 24 hours, a request with the same key is done once. Without a key, the library makes a random one. */
  public Self idempotencyKey(String idempotencyKey) {
    this.idempotencyKey = Settings.requireVisible("idempotencyKey", idempotencyKey);
    return self();
  }
}
