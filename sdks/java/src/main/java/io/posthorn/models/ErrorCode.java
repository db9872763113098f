// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;

/** A newer service may send values that this version does not know. */
public final class ErrorCode extends OpenEnum {
  public static final ErrorCode VALIDATION_ERROR = new ErrorCode("validation_error");
  public static final ErrorCode INVALID_CURSOR = new ErrorCode("invalid_cursor");
  public static final ErrorCode UNAUTHORIZED = new ErrorCode("unauthorized");
  public static final ErrorCode TOKEN_DISABLED = new ErrorCode("token_disabled");
  public static final ErrorCode FORBIDDEN = new ErrorCode("forbidden");
  public static final ErrorCode PLAN_REQUIRED = new ErrorCode("plan_required");
  public static final ErrorCode SECOND_FACTOR_REQUIRED = new ErrorCode("second_factor_required");
  public static final ErrorCode NOT_FOUND = new ErrorCode("not_found");
  public static final ErrorCode METHOD_NOT_ALLOWED = new ErrorCode("method_not_allowed");
  public static final ErrorCode SLUG_TAKEN = new ErrorCode("slug_taken");
  public static final ErrorCode EVENT_TYPE_EXISTS = new ErrorCode("event_type_exists");
  public static final ErrorCode EXTERNAL_ID_TAKEN = new ErrorCode("external_id_taken");
  public static final ErrorCode ENVIRONMENT_LIMIT_REACHED = new ErrorCode("environment_limit_reached");
  public static final ErrorCode LIMIT_REACHED = new ErrorCode("limit_reached");
  public static final ErrorCode LAST_OWNER = new ErrorCode("last_owner");
  public static final ErrorCode MEMBER_EXISTS = new ErrorCode("member_exists");
  public static final ErrorCode NOT_CANCELLABLE = new ErrorCode("not_cancellable");
  public static final ErrorCode DEFAULT_ENVIRONMENT = new ErrorCode("default_environment");
  public static final ErrorCode EVENT_TYPE_IN_USE = new ErrorCode("event_type_in_use");
  public static final ErrorCode AGENTS_SUBSCRIBED = new ErrorCode("agents_subscribed");
  public static final ErrorCode IDEMPOTENCY_CONFLICT = new ErrorCode("idempotency_conflict");
  public static final ErrorCode DELIVERY_IN_PROGRESS = new ErrorCode("delivery_in_progress");
  public static final ErrorCode ENDPOINT_INACTIVE = new ErrorCode("endpoint_inactive");
  public static final ErrorCode PAYLOAD_EXPIRED = new ErrorCode("payload_expired");
  public static final ErrorCode PAYLOAD_TOO_LARGE = new ErrorCode("payload_too_large");
  public static final ErrorCode UNSUPPORTED_MEDIA_TYPE = new ErrorCode("unsupported_media_type");
  public static final ErrorCode SCHEMA_VIOLATION = new ErrorCode("schema_violation");
  public static final ErrorCode RATE_LIMITED = new ErrorCode("rate_limited");
  public static final ErrorCode INTERNAL_ERROR = new ErrorCode("internal_error");
  public static final ErrorCode UNAVAILABLE = new ErrorCode("unavailable");

  private ErrorCode(String value) {
    super(value);
  }

  /** Returns any value, even one that this version does not know. */
  @JsonCreator
  public static ErrorCode of(String value) {
    return new ErrorCode(value);
  }
}
