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

/** A message that this consumer holds until its lease ends. The first answer to it counts. */
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

  /** Everything but the body: ids, headers, the number of the attempt. */
  public LeasedMessage leased() {
    return leased;
  }

  /** The bytes that are signed. Verify them with the headers, as those of a webhook. */
  public byte[] body() {
    return body.clone();
  }

  /** The body, parsed as JSON. Throws an UncheckedIOException when it is not JSON. */
  public JsonNode json() {
    try {
      return Json.MAPPER.readTree(body);
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }

  /** Acknowledges the message now. False when its lease was lost to another consumer. */
  public boolean ack() {
    AckedMessage message = new AckedMessage(leased.deliveryId(), leased.leaseToken());
    return end("ack", new AckBody(List.of(message)));
  }

  /** Gives the message back now; it is due again by the retry schedule. False when its lease was lost. */
  public boolean nack() {
    NackedMessage message = new NackedMessage(leased.deliveryId(), leased.leaseToken());
    return end("nack", new NackBody(List.of(message)));
  }

  /** Gives the message back now; it is due again after the seconds. False when its lease was lost. */
  public boolean nack(int delaySeconds) {
    NackedMessage message = new NackedMessage(leased.deliveryId(), leased.leaseToken()).delaySeconds(delaySeconds);
    return end("nack", new NackBody(List.of(message)));
  }

  /** Holds the message for so long from now, from 5 to 900 seconds. False when its lease was lost. */
  public boolean extend(int leaseSeconds) {
    ExtendedMessage message = new ExtendedMessage(leased.deliveryId(), leased.leaseToken(), leaseSeconds);
    return pull.settle("extend", new ExtendBody(List.of(message))).equals("settled");
  }

  private boolean end(String name, io.posthorn.models.Model answer) {
    if (settled == null) settled = pull.settle(name, answer).equals("settled");
    return settled;
  }
}
