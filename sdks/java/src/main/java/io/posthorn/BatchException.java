package io.posthorn;

import io.posthorn.models.BatchEvent;
import io.posthorn.models.BatchResult;
import java.util.List;

/** A later part of a batch failed. What {@code results} covers was answered; {@code unsent} may be sent again, keys included. */
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

  /** The events behind them, each with the idempotency key under which it was tried. */
  public List<BatchEvent> unsent() {
    return unsent;
  }
}
