package posthorn

import "time"

// AllApplications stands for the application of an event that goes to the subscribed endpoints of every customer.
const AllApplications = "*"

// CallOption is an option of every call.
type CallOption interface {
	ChangeOption
	BatchOption
	everyCall
	isCallOption()
}

// ChangeOption is an option of a call that creates or changes something. Each CallOption is one.
type ChangeOption interface {
	SendOption
	everyChange
	isChangeOption()
}

// SendOption is an option of sending an event. Each ChangeOption and each CallOption is one.
type SendOption interface {
	apply(*callSettings)
	isSendOption()
}

// BatchOption is an option of sending a batch. Each CallOption is one.
type BatchOption interface {
	apply(*callSettings)
	isBatchOption()
}

// ApplicationOption is what [WithApplication] returns: an option of sending an event, and of sending a batch.
type ApplicationOption interface {
	SendOption
	BatchOption
}

// WithTimeout is for each try of the call, instead of the client's Timeout.
func WithTimeout(timeout time.Duration) CallOption {
	return option(func(s *callSettings) { s.timeout = &timeout })
}

// WithRetries is how often the call is tried again, instead of the client's Retries.
func WithRetries(retries int) CallOption {
	return option(func(s *callSettings) { s.retries = &retries })
}

// WithIdempotencyKey names the call: within 24 hours, the same call with the same key is done once. Take the key of an
// event from your own data. The library makes a key where none is given.
func WithIdempotencyKey(key string) ChangeOption {
	return option(func(s *callSettings) { s.key = &key })
}

// WithApplication says whose event it is: the id of the application, "ext:" and your own id of it, or [AllApplications].
// Every event of a type needs it.
func WithApplication(application string) ApplicationOption {
	return option(func(s *callSettings) { s.application = &application })
}

// WithOrderingKey puts events in order: at endpoints with the ordering "fifo", the events of one key arrive one after the
// other.
func WithOrderingKey(key string) SendOption {
	return headerOption("OrderingKey", "X-Ordering-Key", key)
}

// WithDeliverAt keeps an event back until then, at most for 24 hours.
func WithDeliverAt(at time.Time) SendOption {
	return headerOption("DeliverAt", "X-Deliver-At", formatTime(at))
}

// WithContentType replaces "application/json", "text/plain; charset=utf-8" (of a string) or "application/octet-stream" (of
// bytes).
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
	// query is nil, or a struct whose fields name their parameters.
	query any
}

// header is a header that an option makes.
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

// formatTime writes a time as the interface does.
func formatTime(at time.Time) string {
	return at.UTC().Format("2006-01-02T15:04:05.000Z")
}
