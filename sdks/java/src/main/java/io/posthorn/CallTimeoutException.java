package io.posthorn;

/** No complete answer arrived within the timeout. */
public final class CallTimeoutException extends PosthornException {
  private static final long serialVersionUID = 1;

  CallTimeoutException(String message) {
    super(message);
  }
}
