package io.posthorn;

import org.jspecify.annotations.Nullable;

/** The options of a batch. */
public final class BatchOptions extends Options<BatchOptions> {
  @Nullable String application;

  /** For the events of a type that have no {@code applicationId} of their own, and required for these. */
  public BatchOptions application(String application) {
    this.application = Settings.requireVisible("application", application);
    return this;
  }
}
