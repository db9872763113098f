package io.posthorn;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Reads the bodies of answers with limits of time and size: the timeout of HttpClient only covers the headers. */
final class Bodies {
  private static final int MOST_BYTES = 64 << 20;

  private Bodies() {}

  /** Reads a whole body into memory. */
  static final class Complete implements BodySubscriber<byte[]> {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final CompletableFuture<byte[]> done = new CompletableFuture<>();

    Complete(long nanosecondsLeft) {
      done.orTimeout(Math.max(1, nanosecondsLeft), TimeUnit.NANOSECONDS);
    }

    @Override
    public CompletionStage<byte[]> getBody() {
      return done;
    }

    @Override
    public void onSubscribe(Subscription subscription) {
      // After a failure nobody waits for the body, so close its connection.
      done.whenComplete((body, error) -> {
        if (error != null) subscription.cancel();
      });
      subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
      for (ByteBuffer buffer : buffers) {
        byte[] part = new byte[buffer.remaining()];
        buffer.get(part);
        bytes.write(part, 0, part.length);
      }
      if (bytes.size() > MOST_BYTES) done.completeExceptionally(new IOException("the answer is larger than 64 MiB"));
    }

    @Override
    public void onError(Throwable error) {
      done.completeExceptionally(error);
    }

    @Override
    public void onComplete() {
      done.complete(bytes.toByteArray());
    }
  }

  /** Reads a body as it arrives. It requests one part at a time, so a slow reader slows the server down. */
  static final class Chunks implements BodySubscriber<Chunks>, AutoCloseable {
    private static final Object END = new Object();

    private final BlockingQueue<Object> parts = new LinkedBlockingQueue<>();
    private final CompletableFuture<Subscription> subscribed = new CompletableFuture<>();

    @Override
    public CompletionStage<Chunks> getBody() {
      return CompletableFuture.completedFuture(this);
    }

    @Override
    public void onSubscribe(Subscription subscription) {
      subscribed.complete(subscription);
      subscription.request(1);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      for (ByteBuffer buffer : buffers) {
        byte[] part = new byte[buffer.remaining()];
        buffer.get(part);
        bytes.write(part, 0, part.length);
      }
      parts.add(bytes.toByteArray());
    }

    @Override
    public void onError(Throwable error) {
      parts.add(error);
    }

    @Override
    public void onComplete() {
      parts.add(END);
    }

    /** The next bytes; null at the end. */
    byte @Nullable [] next(Duration silence) {
      try {
        Object part = parts.poll(silence.toMillis(), TimeUnit.MILLISECONDS);
        if (part == null) throw new CallTimeoutException("Nothing came for " + silence.toMillis() + " ms");
        if (part == END) return null;
        if (part instanceof Throwable) {
          Throwable error = (Throwable) part;
          throw Transport.explain(error instanceof IOException ? (IOException) error : new IOException(error), silence);
        }
        subscribed.join().request(1);
        return (byte[]) part;
      } catch (InterruptedException error) {
        throw new CallInterruptedException();
      }
    }

    byte[] readAll(Duration silence) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      for (byte[] part = next(silence); part != null && bytes.size() < MOST_BYTES; part = next(silence)) {
        bytes.write(part, 0, part.length);
      }
      close();
      return bytes.toByteArray();
    }

    @Override
    public void close() {
      subscribed.thenAccept(Subscription::cancel);
    }
  }
}
