package io.posthorn;

import org.jspecify.annotations.Nullable;

/** The options of a batch. */
public final class BatchOptions extends Options<BatchOptions> {
  @Nullable String application;

  /** The application of the events with neither an {@code endpointId} nor an {@code applicationId}, which need it. */
  public BatchOptions application(String application) {
    this.application = Settings.requireVisible("application", application);
    return this;
  }
}
