// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;

/** The options of <code>deleteEventType</code>. An option that you do not set is not sent. */
public final class DeleteEventTypeOptions extends Options<DeleteEventTypeOptions> {
  /** <code>true</code> ends the subscriptions of agents that the change breaks. */
  public DeleteEventTypeOptions endAgents(boolean endAgents) {
    query("endAgents", endAgents);
    return this;
  }
}
