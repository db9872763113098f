package io.posthorn;

/** The options of an event that has an event type: its application, and others. */
public final class SendOptions extends EventOptions<SendOptions> {
  private SendOptions(String application) {
    if (application == null) {
      throw new OptionException("application", "is required: an id, \"ext:\" and your own id, or Posthorn.ALL_APPLICATIONS");
    }
    this.application = Settings.requireVisible("application", application);
  }

  /**
   * The application that the event belongs to: its id, {@code ext:} and your own id for it, or
   * {@link Posthorn#ALL_APPLICATIONS}. It is required, because a forgotten one would send the event to every customer.
   */
  public static SendOptions application(String application) {
    return new SendOptions(application);
  }
}
