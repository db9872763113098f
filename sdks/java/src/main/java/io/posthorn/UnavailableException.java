package io.posthorn;

import com.fasterxml.jackson.databind.JsonNode;
import io.posthorn.models.ErrorCode;
import org.jspecify.annotations.Nullable;

/** 502, 503 or 504: the service cannot answer right now. */
public final class UnavailableException extends ApiException {
  UnavailableException(int status, ErrorCode code, String message, @Nullable String requestId, @Nullable Long retryAfter, @Nullable JsonNode details) {
    super(status, code, message, requestId, retryAfter, details);
  }
}
