package io.posthorn;

import com.fasterxml.jackson.databind.JsonNode;
import io.posthorn.models.ErrorCode;
import org.jspecify.annotations.Nullable;

/** 400, 413, 415 or 422: the request itself is wrong; {@link #details} says where. */
public final class ValidationException extends ApiException {
  ValidationException(int status, ErrorCode code, String message, @Nullable String requestId, @Nullable Long retryAfter, @Nullable JsonNode details) {
    super(status, code, message, requestId, retryAfter, details);
  }
}
