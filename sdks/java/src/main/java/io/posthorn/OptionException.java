package io.posthorn;

/** An option or an argument that cannot be used; nothing was sent. */
public final class OptionException extends PosthornException {
  private static final long serialVersionUID = 1;

  private final String option;

  /** {@code rule} says in words what the option must be. */
  public OptionException(String option, String rule) {
    super(option + " " + rule);
    this.option = option;
  }

  /** Its name: {@code baseUrl}, {@code token}, {@code idempotencyKey}. */
  public String option() {
    return option;
  }
}
