package io.posthorn;

import io.posthorn.models.BatchEvent;
import io.posthorn.models.BatchResult;
import java.util.List;

/** A later part of a batch failed. You can send {@link #unsent} again as it is: each event has its idempotency key. */
public final class BatchException extends PosthornException {
  private static final long serialVersionUID = 1;

  private final transient List<BatchResult> results;
  private final transient List<BatchEvent> unsent;

  BatchException(List<BatchResult> results, List<BatchEvent> unsent, PosthornException cause) {
    super(results.size() + " events were sent, " + unsent.size() + " were not: " + cause.getMessage(), cause);
    this.results = results;
    this.unsent = unsent;
  }

  /** The results of the first events of the batch, in order. */
  public List<BatchResult> results() {
    return results;
  }

  /** The remaining events, each with its idempotency key. */
  public List<BatchEvent> unsent() {
    return unsent;
  }
}
