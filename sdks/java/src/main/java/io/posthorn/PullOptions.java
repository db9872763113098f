package io.posthorn;

import org.jspecify.annotations.Nullable;

/** The options of a loop over the messages of a pull endpoint. */
public final class PullOptions extends Options<PullOptions> {
  @Nullable String pullKey;
  int max = 1;
  int waitSeconds = 20;
  int leaseSeconds = 30;

  /** A key of the endpoint ({@code phpl_…}), else the client's. */
  public PullOptions pullKey(String pullKey) {
    this.pullKey = Settings.requireVisible("pullKey", pullKey);
    return this;
  }

  /** How many messages are leased at a time: 1 unless it is set. The lease of each begins at once. */
  public PullOptions max(int max) {
    this.max = max;
    return this;
  }

  /** How long a request waits for a message: 20 unless it is set. The loop goes on after it. */
  public PullOptions waitSeconds(int waitSeconds) {
    this.waitSeconds = Settings.requireInteger("waitSeconds", waitSeconds, 0, 30);
    return this;
  }

  /** After this time without an answer, a message goes to the next consumer: 30 unless it is set. */
  public PullOptions leaseSeconds(int leaseSeconds) {
    this.leaseSeconds = leaseSeconds;
    return this;
  }
}
