/** Verifies the webhooks of Posthorn, and signs them for tests of a receiver: {@link io.posthorn.webhooks.Webhooks}. */
@NullMarked
package io.posthorn.webhooks;

import org.jspecify.annotations.NullMarked;
