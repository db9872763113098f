package io.posthorn;

/** No complete answer: the server was not reached, or the connection ended too early. */
public final class ConnectionException extends PosthornException {
  private static final long serialVersionUID = 1;

  ConnectionException(String message, Throwable cause) {
    super(message, cause);
  }
}
