package io.posthorn;

/** An option or an argument is invalid. Nothing was sent. */
public final class OptionException extends PosthornException {
  private static final long serialVersionUID = 1;

  private final String option;

  /** {@code rule} says what the option must be, such as "must not be empty". */
  public OptionException(String option, String rule) {
    super(option + " " + rule);
    this.option = option;
  }

  /** The name of the option, such as {@code baseUrl}, {@code token} or {@code idempotencyKey}. */
  public String option() {
    return option;
  }
}
