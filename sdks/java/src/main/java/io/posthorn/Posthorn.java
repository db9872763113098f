package io.posthorn;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.posthorn.internal.Json;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A client of one Posthorn. An API key sends events; a pull key fetches messages; a management token does everything
 * else. Use one client for the whole program, from any number of threads: it keeps its connections open.
 */
public final class Posthorn extends Resources {
  /** The version of this library, which is also in the User-Agent. It follows the version of the API. */
  public static final String VERSION = "0.3.0";

  /** In place of an application, this sends an event to the subscribed endpoints of every customer. */
  public static final String ALL_APPLICATIONS = "*";

  private final Transport transport;

  private Posthorn(Transport transport) {
    super(transport);
    this.transport = transport;
  }

  /**
   * Begins a client. Options that you do not set are read from the environment variables {@code POSTHORN_BASE_URL},
   * {@code POSTHORN_TOKEN}, {@code POSTHORN_API_KEY}, {@code POSTHORN_PULL_KEY} and {@code POSTHORN_WORKSPACE_ID}.
   */
  public static Builder builder() {
    return new Builder();
  }

  /** Makes a client that reads all of its options from the environment variables. */
  public static Posthorn fromEnvironment() {
    return builder().build();
  }

  /** Fetches the messages of a pull endpoint, one after the other, with the client's pull key. */
  public Pull pull(String endpointId) {
    return pull(endpointId, new PullOptions());
  }

  /** Fetches the messages of a pull endpoint, one after the other. Use it in a try, as {@link Pull} shows. */
  public Pull pull(String endpointId, PullOptions options) {
    return new Pull(transport, endpointId, options);
  }

  /** The options of a client. */
  public static final class Builder {
    @Nullable String baseUrl;
    @Nullable String token;
    @Nullable String apiKey;
    @Nullable String pullKey;
    @Nullable String workspaceId;
    Duration timeout = Duration.ofSeconds(15);
    int retries = 2;
    ObjectMapper mapper = Json.MAPPER;
    private @Nullable HttpSender sender;

    private Builder() {}

    /** The address of the service, such as {@code https://posthorn.example.com}. */
    public Builder baseUrl(String baseUrl) {
      this.baseUrl = baseUrl;
      return this;
    }

    /** A management token ({@code phm_…}), or a portal session's token ({@code php_…}). */
    public Builder token(String token) {
      this.token = token;
      return this;
    }

    /** An API key ({@code phk_…}), which sends events. */
    public Builder apiKey(String apiKey) {
      this.apiKey = apiKey;
      return this;
    }

    /** A pull key ({@code phpl_…}), which fetches the messages of one endpoint. */
    public Builder pullKey(String pullKey) {
      this.pullKey = pullKey;
      return this;
    }

    /** The workspace to work in. The default is the workspace of the token. */
    public Builder workspaceId(String workspaceId) {
      this.workspaceId = workspaceId;
      return this;
    }

    /** Limits each try, until its answer is complete. The default is 15 seconds. */
    public Builder timeout(Duration timeout) {
      this.timeout = timeout;
      return this;
    }

    /** How many times a request is tried again, from 0 to 10. The default is 2. */
    public Builder retries(int retries) {
      this.retries = retries;
      return this;
    }

    /** Replaces the HTTP client, for a proxy or a test: {@code httpClient::send}. It must not follow redirects. */
    public Builder sender(HttpSender sender) {
      this.sender = sender;
      return this;
    }

    /**
     * The mapper that writes your own classes as payloads, such as a mapper that supports {@code java.time}. Turn on its
     * {@code ORDER_MAP_ENTRIES_BY_KEYS}, as in the default mapper: a call that is repeated must send the same bytes.
     */
    public Builder mapper(ObjectMapper mapper) {
      this.mapper = mapper;
      return this;
    }

    /** Makes the client. Throws an OptionException for an invalid option. */
    public Posthorn build() {
      return build(System::getenv);
    }

    Posthorn build(UnaryOperator<@Nullable String> variables) {
      // By default, HttpClient follows no redirects.
      HttpSender used = sender == null ? HttpClient.newHttpClient()::send : sender;
      return new Posthorn(new Transport(new Settings(this, used, variables)));
    }
  }
}
