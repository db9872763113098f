package io.posthorn;

import org.jspecify.annotations.Nullable;

/** Everything that this library throws on purpose. No message has a credential or a payload. */
public class PosthornException extends RuntimeException {
  private static final long serialVersionUID = 1;

  protected PosthornException(String message) {
    super(message);
  }

  protected PosthornException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
