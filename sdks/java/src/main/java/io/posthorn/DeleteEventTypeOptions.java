// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;

/** The options of <code>deleteEventType</code>. An option that you do not set is not sent. */
public final class DeleteEventTypeOptions extends Options<DeleteEventTypeOptions> {
  /** Whether to end the agent subscriptions that the change breaks. */
  public DeleteEventTypeOptions endAgents(boolean endAgents) {
    query("endAgents", endAgents);
    return this;
  }
}
