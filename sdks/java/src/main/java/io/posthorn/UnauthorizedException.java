package io.posthorn;

import com.fasterxml.jackson.databind.JsonNode;
import io.posthorn.models.ErrorCode;
import org.jspecify.annotations.Nullable;

/** 401: the credential is missing, wrong or expired. */
public final class UnauthorizedException extends ApiException {
  UnauthorizedException(int status, ErrorCode code, String message, @Nullable String requestId, @Nullable Long retryAfter, @Nullable JsonNode details) {
    super(status, code, message, requestId, retryAfter, details);
  }
}
