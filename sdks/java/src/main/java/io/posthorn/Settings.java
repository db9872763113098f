package io.posthorn;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The checked options of a client. It has no toString that could show a credential. */
final class Settings {
  private static final Duration LONGEST_TIMEOUT = Duration.ofMillis(Integer.MAX_VALUE);

  final String baseUrl;
  final @Nullable String token;
  final @Nullable String apiKey;
  final @Nullable String pullKey;
  final @Nullable String workspaceId;
  final Duration timeout;
  final int retries;
  final HttpSender sender;
  final ObjectMapper mapper;

  /** {@code variables} returns the value of an environment variable, or null if it is not set. */
  Settings(Posthorn.Builder given, HttpSender sender, UnaryOperator<@Nullable String> variables) {
    token = requireVisible("token", given(given.token, "TOKEN", variables));
    apiKey = requireVisible("apiKey", given(given.apiKey, "API_KEY", variables));
    pullKey = requireVisible("pullKey", given(given.pullKey, "PULL_KEY", variables));
    workspaceId = requireVisible("workspaceId", given(given.workspaceId, "WORKSPACE_ID", variables));
    if (token == null && apiKey == null && pullKey == null) {
      throw new OptionException("token", "or apiKey or pullKey is required (or a variable such as POSTHORN_TOKEN)");
    }
    baseUrl = requireBaseUrl(given(given.baseUrl, "BASE_URL", variables));
    timeout = requireTimeout(given.timeout);
    retries = requireRetries(given.retries);
    this.sender = sender;
    mapper = given.mapper;
  }

  private static @Nullable String given(
      @Nullable String option, String name, UnaryOperator<@Nullable String> variables) {
    if (option != null) return option;
    String value = variables.apply("POSTHORN_" + name);
    return value == null || value.isEmpty() ? null : value;
  }

  /** Requires visible ASCII characters. For others, HttpClient would throw an error that shows the value. */
  static String requireVisible(String option, String value) {
    return requireCharacters(option, value, '!', "must be visible ASCII characters");
  }

  static String requirePrintable(String option, String value) {
    return requireCharacters(option, value, ' ', "must be printable ASCII characters");
  }

  private static String requireCharacters(String option, String value, char least, String rule) {
    if (value == null) return value;
    if (value.isEmpty() || !value.chars().allMatch(one -> one >= least && one <= '~')) {
      throw new OptionException(option, rule);
    }
    return value;
  }

  static Duration requireTimeout(Duration timeout) {
    if (timeout.isNegative() || timeout.isZero() || timeout.compareTo(LONGEST_TIMEOUT) > 0) {
      throw new OptionException("timeout", "must be above 0, at most " + LONGEST_TIMEOUT.toSeconds() + " seconds");
    }
    return timeout;
  }

  static int requireRetries(int retries) {
    return requireInteger("retries", retries, 0, 10);
  }

  static int requireInteger(String option, int value, int least, int most) {
    if (value < least || value > most) {
      throw new OptionException(option, "must be a whole number from " + least + " to " + most);
    }
    return value;
  }

  private static String requireBaseUrl(@Nullable String value) {
    if (value == null) throw new OptionException("baseUrl", "is required (or the variable POSTHORN_BASE_URL)");
    URI url;
    try {
      url = new URI(value);
    } catch (URISyntaxException error) {
      // Without the cause: it would show the value, which may contain a password.
      throw new OptionException("baseUrl", "must be an http or https URL");
    }
    String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(java.util.Locale.ROOT);
    if ((!scheme.equals("http") && !scheme.equals("https")) || url.getHost() == null) {
      throw new OptionException("baseUrl", "must be an http or https URL");
    }
    if (url.getRawUserInfo() != null || value.contains("?") || value.contains("#")) {
      throw new OptionException("baseUrl", "must have no credentials, no query and no fragment");
    }
    int end = value.length();
    while (value.charAt(end - 1) == '/') end -= 1;
    return value.substring(0, end);
  }
}
