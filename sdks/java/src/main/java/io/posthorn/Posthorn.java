package io.posthorn;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.posthorn.internal.Json;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A client of one Posthorn. An API key sends events; a pull key fetches; a management token does everything else. Use one
 * client for the whole program, from any number of threads: it keeps its connections open.
 */
public final class Posthorn extends Resources {
  /** The version of this library, which is also in the User-Agent. It follows the version of the API. */
  public static final String VERSION = "0.3.0";

  /** Instead of an application: the event goes to the subscribed endpoints of every customer. */
  public static final String ALL_APPLICATIONS = "*";

  private final Transport transport;

  private Posthorn(Transport transport) {
    super(transport);
    this.transport = transport;
  }

  /**
   * Begins a client. What is not set is read from the variables {@code POSTHORN_BASE_URL}, {@code POSTHORN_TOKEN}, {@code POSTHORN_API_KEY},
   * {@code POSTHORN_PULL_KEY} and {@code POSTHORN_WORKSPACE_ID}.
   */
  public static Builder builder() {
    return new Builder();
  }

  /** A client whose options all come from the variables of the environment. */
  public static Posthorn fromEnvironment() {
    return builder().build();
  }

  /** Fetches the messages of a pull endpoint, one after the other, with the client's pull key. */
  public Pull pull(String endpointId) {
    return pull(endpointId, new PullOptions());
  }

  /** Fetches the messages of a pull endpoint, one after the other. Use it in a try, which ends the leases: {@link Pull}. */
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

    /** The token's own workspace unless one is named. */
    public Builder workspaceId(String workspaceId) {
      this.workspaceId = workspaceId;
      return this;
    }

    /** For each try, until its answer is complete: 15 seconds unless it is set. */
    public Builder timeout(Duration timeout) {
      this.timeout = timeout;
      return this;
    }

    /** How often a request is tried again, from 0 to 10: 2 unless it is set. */
    public Builder retries(int retries) {
      this.retries = retries;
      return this;
    }

    /** Another client, for a proxy or a test: {@code httpClient::send}. It must not follow redirects. */
    public Builder sender(HttpSender sender) {
      this.sender = sender;
      return this;
    }

    /** Writes your own classes as payloads, such as one that knows {@code java.time}. */
    public Builder mapper(ObjectMapper mapper) {
      this.mapper = mapper;
      return this;
    }

    /** Throws an OptionException for an option that cannot be used. */
    public Posthorn build() {
      return build(System::getenv);
    }

    Posthorn build(UnaryOperator<@Nullable String> variables) {
      // HttpClient follows no redirects unless it is told to.
      HttpSender used = sender == null ? HttpClient.newHttpClient()::send : sender;
      return new Posthorn(new Transport(new Settings(this, used, variables)));
    }
  }
}
