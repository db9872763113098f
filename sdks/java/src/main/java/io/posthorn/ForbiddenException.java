package io.posthorn;

import com.fasterxml.jackson.databind.JsonNode;
import io.posthorn.models.ErrorCode;
import org.jspecify.annotations.Nullable;

/** 403: the credential may not do this. */
public final class ForbiddenException extends ApiException {
  ForbiddenException(int status, ErrorCode code, String message, @Nullable String requestId, @Nullable Long retryAfter, @Nullable JsonNode details) {
    super(status, code, message, requestId, retryAfter, details);
  }
}
