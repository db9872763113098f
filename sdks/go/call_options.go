package posthorn

import "time"

// AllApplications, in place of an application, sends an event to the subscribed endpoints of every customer.
const AllApplications = "*"

// CallOption is an option that every call takes.
type CallOption interface {
	ChangeOption
	BatchOption
	everyCall
	isCallOption()
}

// ChangeOption is an option of a call that creates or changes something. Every CallOption is a ChangeOption.
type ChangeOption interface {
	SendOption
	everyChange
	isChangeOption()
}

// SendOption is an option of a call that sends an event. Every ChangeOption and CallOption is a SendOption.
type SendOption interface {
	apply(*callSettings)
	isSendOption()
}

// BatchOption is an option of a call that sends a batch. Every CallOption is a BatchOption.
type BatchOption interface {
	apply(*callSettings)
	isBatchOption()
}

// ApplicationOption is the option that [WithApplication] returns. Calls that send an event or a batch take it.
type ApplicationOption interface {
	SendOption
	BatchOption
}

// WithTimeout limits each try of the call, instead of the client's Timeout.
func WithTimeout(timeout time.Duration) CallOption {
	return option(func(s *callSettings) { s.timeout = &timeout })
}

// WithRetries sets how many times the call is tried again, instead of the client's Retries.
func WithRetries(retries int) CallOption {
	return option(func(s *callSettings) { s.retries = &retries })
}

// WithIdempotencyKey sets the idempotency key of the call: within 24 hours, the same call with the same key is done
// once. Take the key of an event from your own data. Without this option, the library makes a random key.
func WithIdempotencyKey(key string) ChangeOption {
	return option(func(s *callSettings) { s.key = &key })
}

// WithApplication sets the application that the event belongs to: its id, "ext:" and your own id for it, or
// [AllApplications]. Every event with an event type needs an application.
func WithApplication(application string) ApplicationOption {
	return option(func(s *callSettings) { s.application = &application })
}

// WithOrderingKey puts events in order: endpoints with the ordering "fifo" receive the events of one key one after the
// other.
func WithOrderingKey(key string) SendOption {
	return headerOption("OrderingKey", "X-Ordering-Key", key)
}

// WithDeliverAt delays the delivery of an event until the given time, at most 24 hours ahead.
func WithDeliverAt(at time.Time) SendOption {
	return headerOption("DeliverAt", "X-Deliver-At", formatTime(at))
}

// WithContentType sets the content type of the payload. The default is "text/plain; charset=utf-8" for a string,
// "application/octet-stream" for a []byte and "application/json" for everything else.
func WithContentType(contentType string) SendOption {
	return option(func(s *callSettings) { s.contentType = &contentType })
}

type callSettings struct {
	timeout     *time.Duration
	retries     *int
	key         *string
	contentType *string
	application *string
	headers     []header
	// query is nil, or a struct whose field tags name the query parameters.
	query any
}

// header is a request header that an option sets. Errors name the option.
type header struct {
	option, name, value string
}

type option func(*callSettings)

func (o option) apply(s *callSettings) { o(s) }
func (option) isSendOption()           {}
func (option) isChangeOption()         {}
func (option) isCallOption()           {}
func (option) isBatchOption()          {}

func headerOption(name, header, value string) SendOption {
	return option(func(s *callSettings) { s.headers = append(s.headers, newHeader(name, header, value)) })
}

func newHeader(option, name, value string) header {
	return header{option: option, name: name, value: value}
}

func collect[Option interface{ apply(*callSettings) }](options []Option) callSettings {
	var collected callSettings
	for _, one := range options {
		one.apply(&collected)
	}
	return collected
}

// formatTime writes a time as the API does: in UTC, with milliseconds.
func formatTime(at time.Time) string {
	return at.UTC().Format("2006-01-02T15:04:05.000Z")
}
