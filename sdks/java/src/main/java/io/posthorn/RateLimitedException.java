package io.posthorn;

import com.fasterxml.jackson.databind.JsonNode;
import io.posthorn.models.ErrorCode;
import org.jspecify.annotations.Nullable;

/** 429: too many requests, or a quota is used up. */
public final class RateLimitedException extends ApiException {
  RateLimitedException(int status, ErrorCode code, String message, @Nullable String requestId, @Nullable Long retryAfter, @Nullable JsonNode details) {
    super(status, code, message, requestId, retryAfter, details);
  }
}
