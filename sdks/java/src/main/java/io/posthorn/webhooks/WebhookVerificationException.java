package io.posthorn.webhooks;

import io.posthorn.PosthornException;

/** The webhook is not genuine. With {@link Reason#INVALID_SECRET}, the secret of the receiver cannot be used. */
public final class WebhookVerificationException extends PosthornException {
  private static final long serialVersionUID = 1;

  private final Reason reason;

  WebhookVerificationException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}
