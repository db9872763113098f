package io.posthorn;

import com.fasterxml.jackson.databind.JsonNode;
import io.posthorn.models.LeaseBody;
import io.posthorn.models.LeasedMessage;
import io.posthorn.models.Model;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a pull endpoint, one after the other, without an end. A message is acknowledged when the loop asks
 * for the next one. Closing gives unfinished messages back, so use it in a try:
 *
 * <pre>{@code
 * try (Pull messages = posthorn.pull("ep_…")) {
 *   for (PulledMessage message : messages) handle(message);
 * }
 * }</pre>
 */
public final class Pull implements Iterable<PulledMessage>, AutoCloseable {
  /** The pause between two requests that do not wait and find nothing. */
  private static final long POLL_MS = 1_000;

  private final Transport transport;
  private final String endpointId;
  private final PullOptions options;
  private final Deque<PulledMessage> left = new ArrayDeque<>();
  private @Nullable PulledMessage current;
  /** In seconds. The first request does not wait, so that a loop with a wrong key or option fails at once. */
  private int wait = 0;

  Pull(Transport transport, String endpointId, PullOptions options) {
    this.transport = transport;
    this.endpointId = endpointId;
    this.options = options;
  }

  @Override
  public Iterator<PulledMessage> iterator() {
    return new Iterator<PulledMessage>() {
      /** Always true: {@link #next} waits for a message. */
      @Override
      public boolean hasNext() {
        return true;
      }

      @Override
      public PulledMessage next() {
        return take();
      }
    };
  }

  /**
   * Gives unfinished messages back at once, so that the next consumer gets them, also in a thread that was interrupted.
   * Throws nothing: if a message cannot be given back, the leases end by themselves.
   */
  @Override
  public void close() {
    if (current != null) left.addFirst(current);
    current = null;
    // An interrupted thread can send no request.
    boolean isInterrupted = Thread.interrupted();
    try {
      for (PulledMessage message = left.poll(); message != null; message = left.poll()) message.nack(0);
    } catch (PosthornException error) {
      left.clear();
    } finally {
      if (isInterrupted) Thread.currentThread().interrupt();
    }
  }

  private PulledMessage take() {
    if (current != null) {
      current.ack();
      current = null;
    }
    while (left.isEmpty()) lease();
    current = left.removeFirst();
    return current;
  }

  private void lease() {
    LeaseBody body =
        new LeaseBody().max(options.max).waitSeconds(wait).leaseSeconds(options.leaseSeconds);
    left.addAll(ask("lease", body, wait, answer ->
        Transport.requireList(answer, "messages").stream()
            .map(message -> new PulledMessage(LeasedMessage.fromJson(message), this))
            .collect(Collectors.toList())));
    wait = options.waitSeconds;
    if (left.isEmpty() && wait == 0) Transport.sleep(POLL_MS);
  }

  /** Sends a request about one message, and returns its result. */
  String settle(String name, Model body) {
    return ask(name, body, 0, answer -> Transport.requireList(answer, "results").stream()
        .findFirst().orElseThrow(() -> new IllegalArgumentException("a result was expected")).path("result").asText());
  }

  private <T> T ask(String name, Model body, int waitSeconds, Function<JsonNode, T> decode) {
    Call call = new Call("POST", "/api/pull/{endpointId}/" + name, endpointId)
        .credential(Call.Credential.PULL_KEY, options.pullKey).body(body);
    RequestOptions limits = new RequestOptions();
    limits.timeout = transport.timeoutOf(options).plus(Duration.ofSeconds(waitSeconds));
    limits.retries = options.retries;
    return transport.request(call, limits, decode);
  }
}
