package io.posthorn;

import org.jspecify.annotations.Nullable;

/** The options of a loop over the messages of a pull endpoint. */
public final class PullOptions extends Options<PullOptions> {
  @Nullable String pullKey;
  int max = 1;
  int waitSeconds = 20;
  int leaseSeconds = 30;

  /** A pull key of the endpoint ({@code phpl_…}). The default is the pull key of the client. */
  public PullOptions pullKey(String pullKey) {
    this.pullKey = Settings.requireVisible("pullKey", pullKey);
    return this;
  }

  /** How many messages are leased at a time. The default is 1. All of their leases begin at once. */
  public PullOptions max(int max) {
    this.max = max;
    return this;
  }

  /** How long a request waits for a message. The default is 20. Then the loop sends the next request, with 0 after a second. */
  public PullOptions waitSeconds(int waitSeconds) {
    this.waitSeconds = Settings.requireInteger("waitSeconds", waitSeconds, 0, 30);
    return this;
  }

  /** How long a message is yours. The default is 30. Without an answer by then, it goes to the next consumer. */
  public PullOptions leaseSeconds(int leaseSeconds) {
    this.leaseSeconds = leaseSeconds;
    return this;
  }
}
