// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;

/** The options of <code>updateEventType</code>. An option that you do not set is not sent. */
public final class UpdateEventTypeOptions extends Options<UpdateEventTypeOptions> {
  /** <code>true</code> ends the subscriptions of agents that the change breaks. */
  public UpdateEventTypeOptions endAgents(boolean endAgents) {
    query("endAgents", endAgents);
    return this;
  }

  /** <code>true</code> only tells what would change. */
  public UpdateEventTypeOptions dryRun(boolean dryRun) {
    query("dryRun", dryRun);
    return this;
  }
}
