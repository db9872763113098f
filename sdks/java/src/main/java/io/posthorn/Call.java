package io.posthorn;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.models.Model;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One operation with its arguments. */
final class Call {
  private static final Pattern ARGUMENT = Pattern.compile("\\{\\w+}");

  enum Credential {
    TOKEN("token"),
    API_KEY("apiKey"),
    PULL_KEY("pullKey");

    final String option;

    Credential(String option) {
      this.option = option;
    }
  }

  final String method;
  /** The path, including its encoded arguments. */
  final String path;

  final Map<String, String> headers = new LinkedHashMap<>();
  boolean inWorkspace;
  Credential credential = Credential.TOKEN;
  /** The credential itself, if it is not the client's. */
  @Nullable String bearer;
  @Nullable JsonNode body;
  byte @Nullable [] content;
  boolean keyed;
  /** The field with a secret that only the first answer shows. */
  @Nullable String shownOnce;
  boolean once;

  Call(String method, String path, String... arguments) {
    this.method = method;
    this.path = fill(path, arguments);
  }

  /** Puts the path of the workspace before the path. */
  Call inWorkspace() {
    inWorkspace = true;
    return this;
  }

  Call credential(Credential credential, @Nullable String bearer) {
    this.credential = credential;
    this.bearer = bearer;
    return this;
  }

  Call body(Model body) {
    this.body = body.toJson();
    return this;
  }

  Call dryRun(Model body) {
    ObjectNode fields = body.toJson();
    this.body = fields.put("dryRun", true);
    return this;
  }

  Call content(byte[] content, String contentType) {
    this.content = content;
    return header("content-type", contentType);
  }

  Call header(String name, @Nullable String value) {
    if (value != null) headers.put(name, value);
    return this;
  }

  /** Sends an idempotency key: the caller's, or one that the library makes. */
  Call keyed() {
    keyed = true;
    return this;
  }

  Call shownOnce(String field) {
    shownOnce = field;
    return this;
  }

  /** Turns retries off, for calls such as tests that have an effect each time. */
  Call once() {
    once = true;
    return this;
  }

  /** Puts the encoded arguments into the path. Refuses an argument such as {@code ..}, which would change the path. */
  private static String fill(String path, String[] arguments) {
    Matcher names = ARGUMENT.matcher(path);
    StringBuilder filled = new StringBuilder();
    for (String argument : arguments) {
      if (argument == null || argument.isEmpty() || argument.equals(".") || argument.equals("..")) {
        throw new OptionException("id", "must be a text that is not empty");
      }
      if (!StandardCharsets.UTF_8.newEncoder().canEncode(argument)) {
        throw new OptionException("id", "must not contain half of a surrogate pair");
      }
      names.find();
      names.appendReplacement(filled, Matcher.quoteReplacement(encode(argument).replace("+", "%20")));
    }
    return names.appendTail(filled).toString();
  }

  static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
