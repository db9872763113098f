package posthorn

import (
	"fmt"
	"net/http"
	"time"
)

// Kind says what went wrong. It is an error itself: errors.Is(err, posthorn.NotFound).
type Kind string

const (
	// InvalidOption is an option or an argument that cannot be used. Nothing was sent.
	InvalidOption Kind = "invalid_option"
	// ConnectionFailed means that no complete answer arrived: the server was not reached, or the connection ended
	// early.
	ConnectionFailed Kind = "connection_failed"
	// TimedOut means that no complete answer arrived within the timeout.
	TimedOut Kind = "timed_out"
	// SecretNotShown means that the answer to a repeated request no longer shows the secret that the first answer showed.
	SecretNotShown Kind = "secret_not_shown"
	// Validation is 400, 413, 415 or 422: the request itself is wrong.
	Validation Kind = "validation"
	// Unauthorized is 401: the credential is missing, wrong or expired.
	Unauthorized Kind = "unauthorized"
	// Forbidden is 403: the credential may not do this.
	Forbidden Kind = "forbidden"
	// NotFound is 404.
	NotFound Kind = "not_found"
	// Conflict is 409: the present state does not allow it, or another request has the same idempotency key.
	Conflict Kind = "conflict"
	// RateLimited is 429: too many requests, or a quota is used up.
	RateLimited Kind = "rate_limited"
	// Unavailable is 502, 503 or 504: the service cannot answer right now.
	Unavailable Kind = "unavailable"
	// Refused is any other unsuccessful answer.
	Refused Kind = "refused"
)

func (k Kind) Error() string { return string(k) }

// CodeUnexpectedAnswer is the Code of an answer that does not come from Posthorn, but from a proxy or another server.
const CodeUnexpectedAnswer ErrorCode = "unexpected_answer"

// Error is every error of this library, except the error of a caller's own context. It never shows a credential.
type Error struct {
	Kind    Kind
	Message string
	// Option is the name of the invalid option or argument, such as BaseURL, Token or IdempotencyKey. Only errors of
	// the kind InvalidOption have it.
	Option string
	// Status is the HTTP status of the answer, or 0 if there was no answer.
	Status int
	// Code is the error code of the answer. A newer service may send a code that this version does not know.
	Code ErrorCode
	// RequestID is the X-Request-Id of the answer. With it, the operator of the service finds the request.
	RequestID string
	// RetryAfter is how long the server asks you to wait before the next try, or 0 if it sent no Retry-After.
	RetryAfter time.Duration
	// Details says in JSON which fields are wrong, and why. Errors with the code validation_error have it.
	Details []byte
	// Err is the cause.
	Err error
}

func (e *Error) Error() string { return "posthorn: " + e.Message }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Is reports whether the error is of this kind.
func (e *Error) Is(target error) bool {
	kind, ok := target.(Kind)
	return ok && kind == e.Kind
}

// BatchError means that a later part of a batch failed. Err is the reason.
type BatchError struct {
	// Results are the results of the first events of the batch, in order.
	Results []BatchResult
	// Unsent are the remaining events, each with its idempotency key. You can send them again as they are.
	Unsent []BatchEvent
	Err    error
}

func (e *BatchError) Error() string {
	return fmt.Sprintf("posthorn: %d events were sent, %d were not: %v", len(e.Results), len(e.Unsent), e.Err)
}

// Unwrap returns the reason.
func (e *BatchError) Unwrap() error { return e.Err }

func optionError(option, rule string) *Error {
	return &Error{Kind: InvalidOption, Option: option, Message: option + " " + rule}
}

func kindOf(status int) Kind {
	switch status {
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType,
		http.StatusUnprocessableEntity:
		return Validation
	case http.StatusUnauthorized:
		return Unauthorized
	case http.StatusForbidden:
		return Forbidden
	case http.StatusNotFound:
		return NotFound
	case http.StatusConflict:
		return Conflict
	case http.StatusTooManyRequests:
		return RateLimited
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return Unavailable
	default:
		return Refused
	}
}
