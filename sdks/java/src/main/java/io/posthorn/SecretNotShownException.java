package io.posthorn;

/** The answer to a repeated request no longer shows the secret that the first answer showed. */
public final class SecretNotShownException extends PosthornException {
  private static final long serialVersionUID = 1;

  SecretNotShownException(String field) {
    super("The " + field + " was shown in the first answer only: rotate it to get another");
  }
}
