package io.posthorn;

/** Whose event it is, and its other options. */
public final class SendOptions extends EventOptions<SendOptions> {
  private SendOptions(String application) {
    if (application == null) {
      throw new OptionException("application", "is required: an id, \"ext:\" and your own id, or Posthorn.ALL_APPLICATIONS");
    }
    this.application = Settings.requireVisible("application", application);
  }

  /**
   * The event is this customer's: the id of an application, {@code ext:} and your own id of it, or
   * {@link Posthorn#ALL_APPLICATIONS}. It is required, because a forgotten one would send the event to every customer.
   */
  public static SendOptions application(String application) {
    return new SendOptions(application);
  }
}
