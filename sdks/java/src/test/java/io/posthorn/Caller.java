package io.posthorn;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.models.BatchEvent;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** Makes the calls of sdks/conformance as a program would write them, and describes their outcomes. */
final class Caller {
  static final ObjectMapper MAPPER = new ObjectMapper();

  private Caller() {}

  /** Runs a case, and returns its `{result}` or `{error}`. */
  static ObjectNode run(JsonNode begun) {
    try {
      Posthorn posthorn = client(begun.path("client"), begun.path("environment"));
      JsonNode call = begun.path("call");
      return result(call.isNull() ? null : repeated(posthorn, call));
    } catch (PosthornException error) {
      return describe(error);
    }
  }

  static ObjectNode call(Posthorn posthorn, JsonNode call) {
    try {
      return result(make(posthorn, call));
    } catch (PosthornException error) {
      return describe(error);
    }
  }

  private static ObjectNode result(Object value) {
    return MAPPER.createObjectNode().set("result", MAPPER.valueToTree(value));
  }

  private static Posthorn client(JsonNode options, JsonNode environment) {
    Posthorn.Builder builder = Posthorn.builder();
    options.properties().forEach(option -> set(builder, option.getKey(), option.getValue()));
    return builder.build(name -> environment.path(name).textValue());
  }

  private static Object repeated(Posthorn posthorn, JsonNode call) {
    if (!call.has("repeat")) return make(posthorn, call);
    List<Object> results = new ArrayList<>();
    for (int n = 0; n < call.get("repeat").asInt(); n += 1) {
      try {
        results.add(make(posthorn, call));
      } catch (PosthornException error) {
        if (!call.path("ignoreErrors").asBoolean()) throw error;
        results.add(null);
      }
    }
    return results;
  }

  private static Object make(Posthorn posthorn, JsonNode call) {
    JsonNode abortAfter = call.path("options").path("abortAfterMs");
    if (abortAfter.isMissingNode()) return read(invoke(posthorn, call), call);
    Thread caller = Thread.currentThread();
    ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    try {
      timer.schedule(caller::interrupt, abortAfter.asLong(), TimeUnit.MILLISECONDS);
      return read(invoke(posthorn, call), call);
    } finally {
      timer.shutdownNow();
      Thread.interrupted();
    }
  }

  /** Calls the overload whose last argument is the options: every method has one. */
  private static Object invoke(Posthorn posthorn, JsonNode call) {
    Object owner = call.has("resource") ? invoke(method(posthorn, call.get("resource").asText(), 0), posthorn) : posthorn;
    JsonNode body = call.path("body");
    String dryRun = body.path("dryRun").asBoolean() ? call.get("method").asText() + "DryRun" : "";
    boolean isDry = hasMethod(owner, dryRun);
    String name = isDry ? dryRun : call.get("method").asText();
    Method method = longest(owner, name);
    List<Object> arguments = new ArrayList<>();
    call.path("path").forEach(argument -> arguments.add(argument.asText()));
    if (call.has("payload")) arguments.add(payload(call.get("payload")));
    if (call.has("events")) {
      arguments.add(StreamSupport.stream(call.get("events").spliterator(), false)
          .map(event -> body(BatchEvent.class, event, false)).collect(Collectors.toList()));
    }
    int last = method.getParameterCount() - 1;
    if (arguments.size() < last) arguments.add(body(method.getParameterTypes()[last - 1], body, isDry));
    arguments.add(options(method.getParameterTypes()[last], call));
    return invoke(method, owner, arguments.toArray());
  }

  private static Object options(Class<?> type, JsonNode call) {
    JsonNode given = call.path("options");
    Object options = type == SendOptions.class
        ? SendOptions.application(given.path("application").textValue())
        : construct(type);
    given.properties().forEach(option -> {
      boolean isGiven = type == SendOptions.class && option.getKey().equals("application");
      if (!isGiven && !option.getKey().equals("abortAfterMs")) set(options, option.getKey(), option.getValue());
    });
    call.path("query").properties().forEach(one -> set(options, camelCase(one.getKey()), one.getValue()));
    return options;
  }

  /** Makes a body with its setters, so that their conversions are tested, too. */
  private static Object body(Class<?> type, JsonNode fields, boolean isDry) {
    boolean isEmpty = Arrays.stream(type.getConstructors()).anyMatch(one -> one.getParameterCount() == 0);
    Object body = isEmpty ? construct(type) : fromJson(type, MAPPER.createObjectNode());
    fields.properties().forEach(field -> {
      if (!isDry || !field.getKey().equals("dryRun")) set(body, field.getKey(), field.getValue());
    });
    return body;
  }

  private static void set(Object owner, String name, JsonNode value) {
    String own = name.equals("timeoutMs") ? "timeout" : name;
    Optional<Method> setter = Arrays.stream(owner.getClass().getMethods())
        .filter(one -> one.getName().equals(own) && one.getParameterCount() == 1 && !one.isVarArgs() && !one.isBridge())
        .findFirst();
    // In Java, a program with an unknown option does not compile.
    if (setter.isEmpty()) throw new OptionException(name, "is not an option");
    Type type = setter.get().getGenericParameterTypes()[0];
    invoke(setter.get(), owner, type == Duration.class ? Duration.ofMillis(value.asLong()) : convert(value, type));
  }

  private static Object convert(JsonNode value, Type type) {
    if (type == Instant.class) return Instant.parse(value.asText());
    return MAPPER.convertValue(value, MAPPER.constructType(type));
  }

  private static Object payload(JsonNode payload) {
    if (payload.has("base64")) return Base64.getDecoder().decode(payload.get("base64").asText());
    return payload.has("text") ? payload.get("text").asText() : MAPPER.convertValue(payload.get("json"), Object.class);
  }

  private static Object read(Object answer, JsonNode call) {
    int take = call.path("take").asInt();
    if (answer instanceof Pull) {
      try (Pull messages = (Pull) answer) {
        return taken(messages.iterator(), take).stream().map(message -> ((PulledMessage) message).leased()).collect(Collectors.toList());
      }
    }
    if (answer instanceof EventStream) {
      try (EventStream<?> changes = (EventStream<?>) answer) {
        return taken(changes.iterator(), take).stream()
            .map(change -> Map.of("event", ((Change) change).name(), "data", ((Change) change).data()))
            .collect(Collectors.toList());
      }
    }
    if (!(answer instanceof Listing)) return answer;
    Listing<?> listing = (Listing<?>) answer;
    if (call.path("read").asText().equals("page")) {
      Page<?> page = listing.page();
      ObjectNode read = MAPPER.createObjectNode();
      read.set("items", MAPPER.valueToTree(page.items()));
      return read.put("nextCursor", page.nextCursor());
    }
    JsonNode limit = call.path("read").path("limit");
    return limit.isMissingNode() ? listing.stream().collect(Collectors.toList()) : listing.toList(limit.asInt());
  }

  private static List<Object> taken(Iterator<?> values, int count) {
    List<Object> taken = new ArrayList<>();
    while (taken.size() < count && values.hasNext()) taken.add(values.next());
    return taken;
  }

  private static ObjectNode describe(PosthornException error) {
    ObjectNode described = MAPPER.createObjectNode();
    String name = error.getClass().getSimpleName().replace("Exception", "Error");
    described.put("type", name.equals("CallTimeoutError") ? "TimeoutError" : name.equals("CallInterruptedError") ? "Aborted" : name);
    described.put("message", error.getMessage());
    StringWriter text = new StringWriter();
    error.printStackTrace(new PrintWriter(text, true));
    described.put("text", text.toString());
    if (error instanceof OptionException) {
      String option = ((OptionException) error).option();
      described.put("option", option.equals("timeout") ? "timeoutMs" : option);
    } else if (error instanceof BatchException) {
      described.put("results", ((BatchException) error).results().size());
      described.put("unsent", ((BatchException) error).unsent().size());
    } else if (error instanceof ApiException) {
      ApiException refusal = (ApiException) error;
      described.put("message", refusal.plainMessage());
      described.put("status", refusal.status()).put("code", refusal.code().value());
      described.put("requestId", refusal.requestId()).put("retryAfter", refusal.retryAfter());
      described.set("details", refusal.details());
    }
    return MAPPER.createObjectNode().set("error", described);
  }

  private static Method longest(Object owner, String name) {
    return Arrays.stream(owner.getClass().getMethods())
        .filter(one -> one.getName().equals(name))
        .max((one, other) -> one.getParameterCount() - other.getParameterCount())
        .orElseThrow(() -> new AssertionError("there is no " + owner.getClass() + "." + name));
  }

  private static boolean hasMethod(Object owner, String name) {
    return Arrays.stream(owner.getClass().getMethods()).anyMatch(one -> one.getName().equals(name));
  }

  private static Method method(Object owner, String name, int parameters) {
    return Arrays.stream(owner.getClass().getMethods())
        .filter(one -> one.getName().equals(name) && one.getParameterCount() == parameters)
        .findFirst().orElseThrow(() -> new AssertionError("there is no " + name));
  }

  private static Object construct(Class<?> type) {
    try {
      return type.getConstructor().newInstance();
    } catch (ReflectiveOperationException error) {
      throw new AssertionError(error);
    }
  }

  private static Object fromJson(Class<?> type, JsonNode json) {
    try {
      return type.getMethod("fromJson", JsonNode.class).invoke(null, json);
    } catch (ReflectiveOperationException error) {
      throw new AssertionError(error);
    }
  }

  private static Object invoke(Method method, Object owner, Object... arguments) {
    try {
      return method.invoke(owner, arguments);
    } catch (InvocationTargetException error) {
      if (error.getCause() instanceof PosthornException) throw (PosthornException) error.getCause();
      throw new AssertionError(error.getCause());
    } catch (IllegalAccessException error) {
      throw new AssertionError(error);
    }
  }

  private static String camelCase(String name) {
    StringBuilder camel = new StringBuilder();
    for (String word : name.split("_")) {
      camel.append(camel.length() == 0 ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1));
    }
    return camel.toString();
  }
}
