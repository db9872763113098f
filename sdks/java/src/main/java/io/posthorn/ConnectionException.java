package io.posthorn;

/** No complete answer arrived: the server was not reached, or the connection ended early. */
public final class ConnectionException extends PosthornException {
  private static final long serialVersionUID = 1;

  ConnectionException(String message, Throwable cause) {
    super(message, cause);
  }
}
