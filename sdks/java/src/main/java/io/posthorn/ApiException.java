package io.posthorn;

import com.fasterxml.jackson.databind.JsonNode;
import io.posthorn.models.ErrorCode;
import org.jspecify.annotations.Nullable;

/** The server refused the request. */
public class ApiException extends PosthornException {
  private static final long serialVersionUID = 1;

  private final int status;
  private final transient ErrorCode code;
  private final String plainMessage;
  private final @Nullable String requestId;
  private final @Nullable Long retryAfter;
  private final transient @Nullable JsonNode details;

  ApiException(
      int status,
      ErrorCode code,
      String message,
      @Nullable String requestId,
      @Nullable Long retryAfter,
      @Nullable JsonNode details) {
    super(message + " (" + status + " " + code + (requestId == null ? "" : ", request " + requestId) + ")");
    this.status = status;
    this.code = code;
    this.plainMessage = message;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
    this.details = details;
  }

  static ApiException of(
      int status,
      ErrorCode code,
      String message,
      @Nullable String requestId,
      @Nullable Long retryAfter,
      @Nullable JsonNode details) {
    switch (status) {
      case 400:
      case 413:
      case 415:
      case 422:
        return new ValidationException(status, code, message, requestId, retryAfter, details);
      case 401:
        return new UnauthorizedException(status, code, message, requestId, retryAfter, details);
      case 403:
        return new ForbiddenException(status, code, message, requestId, retryAfter, details);
      case 404:
        return new NotFoundException(status, code, message, requestId, retryAfter, details);
      case 409:
        return new ConflictException(status, code, message, requestId, retryAfter, details);
      case 429:
        return new RateLimitedException(status, code, message, requestId, retryAfter, details);
      case 502:
      case 503:
      case 504:
        return new UnavailableException(status, code, message, requestId, retryAfter, details);
      default:
        return new ApiException(status, code, message, requestId, retryAfter, details);
    }
  }

  static ApiException unexpected(int status, String message) {
    return of(status, ErrorCode.of("unexpected_answer"), message, null, null, null);
  }

  public final int status() {
    return status;
  }

  /** The error code, or {@code unexpected_answer} if the answer does not come from Posthorn, but from a proxy. */
  public final ErrorCode code() {
    return code;
  }

  /** The message of the server, without the status and the code that {@link #getMessage} adds. */
  public final String plainMessage() {
    return plainMessage;
  }

  /** The {@code X-Request-Id} of the answer. With it, the operator of the service finds the request. */
  public final @Nullable String requestId() {
    return requestId;
  }

  /** How many seconds the server asks you to wait before the next try. */
  public final @Nullable Long retryAfter() {
    return retryAfter;
  }

  /** With the code {@code validation_error}: which fields are wrong, and why. */
  public final @Nullable JsonNode details() {
    return details;
  }
}
