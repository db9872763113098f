package io.posthorn;

/** The thread was interrupted while it waited for an answer, so the call was given up. The thread stays interrupted. */
public final class CallInterruptedException extends PosthornException {
  private static final long serialVersionUID = 1;

  CallInterruptedException() {
    super("The call was given up, because its thread was interrupted");
    Thread.currentThread().interrupt();
  }
}
