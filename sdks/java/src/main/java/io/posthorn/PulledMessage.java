package io.posthorn;

import com.fasterxml.jackson.databind.JsonNode;
import io.posthorn.internal.Json;
import io.posthorn.models.AckBody;
import io.posthorn.models.AckedMessage;
import io.posthorn.models.ExtendBody;
import io.posthorn.models.ExtendedMessage;
import io.posthorn.models.LeasedMessage;
import io.posthorn.models.NackBody;
import io.posthorn.models.NackedMessage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A message that this consumer holds until its lease ends. Only the first successful answer to it counts. */
public final class PulledMessage {
  private final LeasedMessage leased;
  private final Pull pull;
  private final byte[] body;
  private @Nullable Boolean settled;

  PulledMessage(LeasedMessage leased, Pull pull) {
    this.leased = leased;
    this.pull = pull;
    this.body = Base64.getDecoder().decode(leased.body());
  }

  /** The ids, the headers, the number of the attempt and the other fields of the message. */
  public LeasedMessage leased() {
    return leased;
  }

  /** The signed bytes. Verify them with the headers, like the body of a webhook. */
  public byte[] body() {
    return body.clone();
  }

  /** Parses the body as JSON. Throws an UncheckedIOException if it is not JSON. */
  public JsonNode json() {
    try {
      return Json.MAPPER.readTree(body);
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }

  /** Acknowledges the message now. Returns false if the lease was lost to another consumer. */
  public boolean ack() {
    AckedMessage message = new AckedMessage(leased.deliveryId(), leased.leaseToken());
    return end("ack", new AckBody(List.of(message)));
  }

  /** Gives the message back now. The retry schedule says when it is due again. Returns false if the lease was lost. */
  public boolean nack() {
    NackedMessage message = new NackedMessage(leased.deliveryId(), leased.leaseToken());
    return end("nack", new NackBody(List.of(message)));
  }

  /** Gives the message back now. It is due again after the delay. Returns false if the lease was lost. */
  public boolean nack(int delaySeconds) {
    NackedMessage message = new NackedMessage(leased.deliveryId(), leased.leaseToken()).delaySeconds(delaySeconds);
    return end("nack", new NackBody(List.of(message)));
  }

  /** Renews the lease, which then ends after 5 to 900 seconds from now. Returns false if the lease was lost. */
  public boolean extend(int leaseSeconds) {
    ExtendedMessage message = new ExtendedMessage(leased.deliveryId(), leased.leaseToken(), leaseSeconds);
    return pull.settle("extend", new ExtendBody(List.of(message))).equals("settled");
  }

  private boolean end(String name, io.posthorn.models.Model answer) {
    if (settled == null) settled = pull.settle(name, answer).equals("settled");
    return settled;
  }
}
