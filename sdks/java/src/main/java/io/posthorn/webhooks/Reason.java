package io.posthorn.webhooks;

/** The reason why a webhook is refused. */
public enum Reason {
  /** {@code webhook-id}, {@code webhook-timestamp} or {@code webhook-signature} is missing. */
  MISSING_HEADER("missing_header"),
  /** {@code webhook-timestamp} is not a number of seconds. */
  INVALID_TIMESTAMP("invalid_timestamp"),
  /** The webhook is older than the tolerance: somebody may have recorded it, to replay it. */
  TOO_OLD("too_old"),
  /** The timestamp is further in the future than the tolerance allows. */
  TOO_NEW("too_new"),
  /** The body was changed, or the webhook was signed with a different secret. */
  NO_MATCHING_SIGNATURE("no_matching_signature"),
  /** The secret of the receiver is missing or malformed, or is a public key that cannot be used. */
  INVALID_SECRET("invalid_secret");

  private final String code;

  Reason(String code) {
    this.code = code;
  }

  /** The code of the reason, the same in the libraries of every language. */
  public String code() {
    return code;
  }
}
