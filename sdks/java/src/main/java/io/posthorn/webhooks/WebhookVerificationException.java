package io.posthorn.webhooks;

import io.posthorn.PosthornException;

/** The webhook is not genuine; with {@link Reason#INVALID_SECRET}, the receiver's own secret is wrong. */
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
