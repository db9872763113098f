package io.posthorn;

/** The options of an event for one endpoint. */
public final class DirectOptions extends EventOptions<DirectOptions> {
  /** The application to which the endpoint must belong. */
  public DirectOptions application(String application) {
    this.application = Settings.requireVisible("application", application);
    return this;
  }
}
