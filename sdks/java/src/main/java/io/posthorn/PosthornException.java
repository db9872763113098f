package io.posthorn;

import org.jspecify.annotations.Nullable;

/** The base class of the exceptions of this library. No message has a credential or a payload. */
public class PosthornException extends RuntimeException {
  private static final long serialVersionUID = 1;

  protected PosthornException(String message) {
    super(message);
  }

  protected PosthornException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
