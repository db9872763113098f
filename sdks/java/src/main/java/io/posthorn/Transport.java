package io.posthorn;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.posthorn.internal.Json;
import io.posthorn.models.ErrorCode;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Sends the requests of every resource: it adds credentials, retries, throws exceptions and reads pages. */
final class Transport {
  private static final String PAGE_SIZE = "100";
  private static final Pattern NEXT = Pattern.compile("[?&]cursor=([^&>]*)[^>]*>\\s*;[^,]*rel=\"next\"");

  private final Settings settings;
  private final Object asking = new Object();
  private volatile @Nullable String workspace;

  Transport(Settings settings) {
    this.settings = settings;
  }

  /** The complete answer to a request. */
  static final class Answer {
    final JsonNode value;
    final HttpHeaders headers;

    Answer(JsonNode value, HttpHeaders headers) {
      this.value = value;
      this.headers = headers;
    }
  }

  <T> T request(Call call, Options<?> options, Function<JsonNode, T> decode) {
    Answer answer = send(call, options);
    requireShown(call, answer);
    return decode(answer.value, decode);
  }

  <Item> Listing<Item> list(
      Call call, Options<?> options, Paging paging, @Nullable String field, Function<JsonNode, Item> decode) {
    return new Listing<>(cursor -> {
      Map<String, String> query = new LinkedHashMap<>(options.query);
      if (paging == Paging.LINK) query.putIfAbsent("limit", PAGE_SIZE);
      if (cursor != null) query.put(paging == Paging.PAGE ? "page" : "cursor", cursor);
      Answer answer = send(call, options, query);
      JsonNode items = field == null ? answer.value : answer.value.path(field);
      if (!items.isArray()) throw ApiException.unexpected(200, "The answer has no list of items");
      return new Page<>(decode(items, all -> Json.list(all, decode)), next(answer, paging));
    });
  }

  <Event extends Change> EventStream<Event> stream(
      Call call, Options<?> options, BiFunction<String, JsonNode, Event> make) {
    Duration timeout = timeoutOf(options);
    HttpRequest request =
        prepare(call, options, options.query).setHeader("accept", "text/event-stream").timeout(timeout).build();
    HttpResponse<Bodies.Chunks> response = exchange(request, timeout, info -> new Bodies.Chunks());
    if (response.statusCode() / 100 != 2) {
      byte[] body = response.body().readAll(timeout);
      throw refusal(response, body);
    }
    // The page of a proxy must not look like a stream without changes.
    if (!response.headers().firstValue("content-type").orElse("").toLowerCase(Locale.ROOT).startsWith("text/event-stream")) {
      response.body().close();
      throw refusal(response, new byte[0]);
    }
    return new EventStream<>(response.body(), make);
  }

  Duration timeoutOf(Options<?> options) {
    return options.timeout == null ? settings.timeout : options.timeout;
  }

  Answer send(Call call, Options<?> options) {
    return send(call, options, options.query);
  }

  /** Sends a request, and sends it again as Retries decides. */
  private Answer send(Call call, Options<?> options, Map<String, String> query) {
    Duration timeout = timeoutOf(options);
    int retries = call.once ? 0 : options.retries == null ? settings.retries : options.retries;
    HttpRequest request = prepare(call, options, query).timeout(timeout).build();
    boolean mayBeDone = false;
    for (int tries = 1; ; tries += 1) {
      try {
        return attempt(request, timeout);
      } catch (CallInterruptedException error) {
        throw error;
      } catch (PosthornException error) {
        // An earlier try, whose answer was lost, may have deleted it.
        if (mayBeDone && call.method.equals("DELETE") && isNotFound(error)) {
          return new Answer(MissingNode.getInstance(), HttpHeaders.of(Map.of(), (name, value) -> true));
        }
        mayBeDone = mayBeDone || !(error instanceof ApiException) || ((ApiException) error).status() >= 500;
        Long pause = Retries.pauseMs(error, tries, retries);
        if (pause == null) throw error;
        sleep(pause);
      }
    }
  }

  /** A 404 with another code is that of a proxy, which knows nothing of what was to be deleted. */
  private static boolean isNotFound(PosthornException error) {
    return error instanceof NotFoundException && ((NotFoundException) error).code().value().equals("not_found");
  }

  private Answer attempt(HttpRequest request, Duration timeout) {
    long deadline = System.nanoTime() + timeout.toNanos();
    HttpResponse<byte[]> response =
        exchange(request, timeout, info -> new Bodies.Complete(deadline - System.nanoTime()));
    byte[] body = response.body();
    if (response.statusCode() / 100 != 2) throw refusal(response, body);
    // Only a deletion is answered without a body. An empty answer from a proxy must not look like an accepted event.
    if (body.length == 0 && request.method().equals("DELETE")) {
      return new Answer(MissingNode.getInstance(), response.headers());
    }
    JsonNode value = parse(body);
    if (value == null) throw refusal(response, new byte[0]);
    return new Answer(value, response.headers());
  }

  private <Body> HttpResponse<Body> exchange(
      HttpRequest request, Duration timeout, HttpResponse.BodyHandler<Body> handler) {
    try {
      return settings.sender.send(request, handler);
    } catch (InterruptedException error) {
      throw new CallInterruptedException();
    } catch (IOException error) {
      throw explain(error, timeout);
    }
  }

  /** Turns an error of HttpClient into one of this library. HttpClient's messages contain no header and no body. */
  static PosthornException explain(IOException error, Duration timeout) {
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (cause instanceof HttpTimeoutException || cause instanceof TimeoutException) {
        return new CallTimeoutException("No complete answer within " + timeout.toMillis() + " ms");
      }
    }
    String said = error.getMessage();
    if (said == null && error instanceof ConnectException) {
      said = error.getCause() != null && error.getCause().getCause() instanceof UnresolvedAddressException
          ? "the host was not found" : "the connection was refused";
    }
    return new ConnectionException("No complete answer: " + (said == null ? error.getClass().getSimpleName() : said), error);
  }

  private HttpRequest.Builder prepare(Call call, Options<?> options, Map<String, String> query) {
    HttpRequest.Builder request = HttpRequest.newBuilder();
    request.header("authorization", "Bearer " + credentialOf(call));
    request.header("accept", "application/json");
    request.header("user-agent", "posthorn-sdk/java/" + Posthorn.VERSION);
    if (call.keyed) request.header("idempotency-key", options.idempotencyKey == null ? newKey() : options.idempotencyKey);
    call.headers.forEach(request::header);
    byte[] content = call.content;
    if (call.body != null) {
      content = toJson("body", call.body);
      request.header("content-type", "application/json");
    }
    request.method(
        call.method,
        content == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofByteArray(content));
    String parameters = query.entrySet().stream()
        .map(one -> one.getKey() + "=" + Call.encode(one.getValue()))
        .collect(Collectors.joining("&"));
    String path = (call.inWorkspace ? workspacePath() : "") + call.path;
    return request.uri(URI.create(settings.baseUrl + path + (parameters.isEmpty() ? "" : "?" + parameters)));
  }

  private String credentialOf(Call call) {
    String credential = call.bearer;
    if (credential == null) {
      switch (call.credential) {
        case TOKEN:
          credential = settings.token;
          break;
        case API_KEY:
          credential = settings.apiKey;
          break;
        case PULL_KEY:
          credential = settings.pullKey;
          break;
      }
    }
    if (credential == null) throw new OptionException(call.credential.option, "is required for this call");
    return credential;
  }

  byte[] toJson(String option, @Nullable Object value) {
    try {
      return settings.mapper.writeValueAsBytes(value);
    } catch (JsonProcessingException error) {
      throw new OptionException(option, "must be a JSON value: " + error.getOriginalMessage());
    }
  }

  /** Makes an idempotency key for a call without one. */
  static String newKey() {
    return "auto_" + UUID.randomUUID();
  }

  /** Looks up the workspace once, even for concurrent calls. After a failure, the next call asks again. */
  private String workspacePath() {
    if (settings.token != null && settings.token.startsWith("php_")) return "/api/portal";
    if (settings.workspaceId != null) return workspaceBase(settings.workspaceId);
    String known = workspace;
    if (known != null) return known;
    synchronized (asking) {
      if (workspace == null) {
        Answer me = send(new Call("GET", "/management/v1/me"), new RequestOptions());
        JsonNode id = me.value.path("workspace").path("id");
        if (!id.isTextual() || id.textValue().isEmpty()) {
          throw ApiException.unexpected(200, "The answer names no workspace: check baseUrl");
        }
        workspace = workspaceBase(id.textValue());
      }
      return workspace;
    }
  }

  private static String workspaceBase(String id) {
    return new Call("GET", "/management/v1/workspaces/{workspaceId}", id).path;
  }

  private static void requireShown(Call call, Answer answer) {
    if (call.shownOnce == null) return;
    boolean isRepeated = answer.headers.firstValue("idempotent-replayed").orElse("").equals("true");
    JsonNode shown = answer.value.get(call.shownOnce);
    if (isRepeated && shown != null && shown.isNull()) throw new SecretNotShownException(call.shownOnce);
  }

  private static <T> T decode(JsonNode value, Function<JsonNode, T> decode) {
    try {
      return decode.apply(value);
    } catch (IllegalArgumentException error) {
      throw ApiException.unexpected(200, "The answer has another form than Posthorn's");
    }
  }

  private static @Nullable String next(Answer answer, Paging paging) {
    JsonNode value = answer.value;
    switch (paging) {
      case LINK:
        Matcher link = NEXT.matcher(answer.headers.firstValue("link").orElse(""));
        return link.find() ? java.net.URLDecoder.decode(link.group(1), java.nio.charset.StandardCharsets.UTF_8) : null;
      case CURSOR:
        return Json.onlyText(value.path("nextCursor"));
      default:
        long page = value.path("page").asLong();
        return page * value.path("pageSize").asLong() < value.path("total").asLong() ? String.valueOf(page + 1) : null;
    }
  }

  private static @Nullable JsonNode parse(byte[] body) {
    try {
      JsonNode value = Json.MAPPER.readTree(body);
      return value == null || value.isMissingNode() ? null : value;
    } catch (IOException error) {
      return null;
    }
  }

  private static ApiException refusal(HttpResponse<?> response, byte[] body) {
    int status = response.statusCode();
    HttpHeaders headers = response.headers();
    JsonNode answered = parse(body);
    JsonNode error = answered == null ? MissingNode.getInstance() : answered.path("error");
    String code = Json.onlyText(error.path("code"));
    String message = Json.onlyText(error.path("message"));
    JsonNode details = error.get("details");
    return ApiException.of(
        status,
        ErrorCode.of(code == null ? "unexpected_answer" : code),
        code == null ? unexpected(status, headers) : message == null || message.isEmpty() ? code : message,
        headers.firstValue("x-request-id").orElse(null),
        Retries.readRetryAfter(headers.firstValue("retry-after").orElse(null), Instant.now()),
        code == null || details == null || details.isNull() ? null : details);
  }

  private static String unexpected(int status, HttpHeaders headers) {
    if (status >= 300 && status < 400) {
      return "The server answered with a redirect, which is not followed: check baseUrl";
    }
    String kind = headers.firstValue("content-type").orElse("no content type");
    return "The answer " + status + " (" + kind + ") does not come from Posthorn: check baseUrl and the proxies before it";
  }

  static void sleep(long milliseconds) {
    try {
      Thread.sleep(milliseconds);
    } catch (InterruptedException error) {
      throw new CallInterruptedException();
    }
  }

  /** The items of a list in an answer. An answer without it comes from another server, and must not look empty. */
  static List<JsonNode> requireList(JsonNode answer, String name) {
    if (!answer.path(name).isArray()) throw new IllegalArgumentException("a list was expected");
    List<JsonNode> items = new ArrayList<>();
    answer.path(name).forEach(items::add);
    return items;
  }
}
