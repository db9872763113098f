package io.posthorn.webhooks;

/** Why a webhook is refused. */
public enum Reason {
  /** {@code webhook-id}, {@code webhook-timestamp} or {@code webhook-signature} is missing. */
  MISSING_HEADER("missing_header"),
  /** {@code webhook-timestamp} is not a number of seconds. */
  INVALID_TIMESTAMP("invalid_timestamp"),
  /** Somebody may have kept the webhook, to send it again. */
  TOO_OLD("too_old"),
  /** The webhook is from the future. */
  TOO_NEW("too_new"),
  /** The body was changed, or the secret is another. */
  NO_MATCHING_SIGNATURE("no_matching_signature"),
  /** The receiver's own secret is wrong. */
  INVALID_SECRET("invalid_secret");

  private final String code;

  Reason(String code) {
    this.code = code;
  }

  /** The word for it, the same in every language. */
  public String code() {
    return code;
  }
}
