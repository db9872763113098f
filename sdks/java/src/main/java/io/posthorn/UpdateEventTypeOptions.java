// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;

/** The options of <code>updateEventType</code>. An option that you do not set is not sent. */
public final class UpdateEventTypeOptions extends Options<UpdateEventTypeOptions> {
  /** Whether to end the agent subscriptions that the change breaks. */
  public UpdateEventTypeOptions endAgents(boolean endAgents) {
    query("endAgents", endAgents);
    return this;
  }

  /** Whether to return the changes without applying them. */
  public UpdateEventTypeOptions dryRun(boolean dryRun) {
    query("dryRun", dryRun);
    return this;
  }
}
