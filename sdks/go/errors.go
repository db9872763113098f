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
	// ConnectionFailed means no complete answer: the server was not reached, or the connection ended too early.
	ConnectionFailed Kind = "connection_failed"
	// TimedOut means no complete answer within the timeout.
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

// CodeUnexpectedAnswer is the Code where the answer is not Posthorn's: a proxy's page, or another server.
const CodeUnexpectedAnswer ErrorCode = "unexpected_answer"

// Error is every error of this library, except the error of a caller's own context. It never shows a credential.
type Error struct {
	Kind    Kind
	Message string
	// Option is the name of what cannot be used, with InvalidOption: BaseURL, Token, IdempotencyKey.
	Option string
	// Status is the status of the answer; 0 where there was none.
	Status int
	// Code is the code of the interface, which may be one that this version does not know.
	Code ErrorCode
	// RequestID is the X-Request-Id of the answer: the operator finds the request by it.
	RequestID string
	// RetryAfter is the time after which the server wants to be asked again; 0 where it named none.
	RetryAfter time.Duration
	// Details says what is wrong with which field, with the code validation_error. It is JSON.
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
	// Unsent are the events behind them, each with the idempotency key under which it was tried. They may be sent again.
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
