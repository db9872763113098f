package posthorn

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
)

const (
	batchEvents = 100
	batchBytes  = 1 << 20
	batchStart  = `{"events":[`
	batchEnd    = `]}`
)

// Send sends an event to every endpoint that subscribes to its type. A string, a []byte and a [json.RawMessage] are
// sent as they are, every other value as JSON. When Send returns without an error, the service has stored the event.
// [WithApplication] is required.
func (r *EventsResource) Send(ctx context.Context, eventType string, payload any, options ...SendOption) (*IngestAnswer, error) {
	settings := collect(options)
	if err := requireApplication(settings.application); err != nil {
		return nil, err
	}
	return sendPayload[IngestAnswer](ctx, r.transport, "/api/ingest/event/{eventType}", eventType, payload, settings)
}

// TypedEvent is a payload that knows its event type, such as a struct that `posthorn types --lang go` generates.
type TypedEvent interface {
	PosthornEventType() string
}

// SendTyped is [EventsResource.Send] for a payload that knows its event type, so that the two always match.
func (r *EventsResource) SendTyped(ctx context.Context, event TypedEvent, options ...SendOption) (*IngestAnswer, error) {
	return r.Send(ctx, event.PosthornEventType(), event, options...)
}

// SendDirect sends an event to one endpoint, without an event type.
func (r *EventsResource) SendDirect(ctx context.Context, endpointID string, payload any, options ...SendOption) (*DirectIngestAnswer, error) {
	return sendPayload[DirectIngestAnswer](ctx, r.transport, "/api/ingest/{endpointId}", endpointID, payload, collect(options))
}

// SendBatch sends any number of events, in requests of at most 100 events and 1 MiB, one after the other. The results
// are in the order of the events. A refused event has an Error in its result and does not stop the others. If a request
// fails after an earlier one succeeded, the error is a [*BatchError] with the results so far and the remaining events.
// An event with neither an EndpointID nor an ApplicationID needs [WithApplication] and gets its application.
func (r *EventsResource) SendBatch(ctx context.Context, events []BatchEvent, options ...BatchOption) ([]BatchResult, error) {
	settings := collect(options)
	keyed := make([]BatchEvent, len(events))
	texts := make([][]byte, len(events))
	for n, event := range events {
		if event.IdempotencyKey == nil {
			event.IdempotencyKey = Value(newKey())
		}
		if _, isDirect := event.EndpointID.Get(); !isDirect {
			application := settings.application
			if own, isNamed := event.ApplicationID.Get(); isNamed {
				application = &own
			}
			if err := requireApplication(application); err != nil {
				return nil, err
			}
			event.ApplicationID = Value(*application)
		}
		text, err := marshal(event)
		if err != nil {
			return nil, payloadError(err)
		}
		keyed[n], texts[n] = event, text
	}
	results := make([]BatchResult, 0, len(events))
	for _, part := range splitBatch(texts) {
		answered, err := sendPart(ctx, r.transport, part, settings)
		// A single event that is too large for a request does not stop the others.
		if refused := (*Error)(nil); len(part) == 1 && errors.As(err, &refused) && refused.Code == ErrorCodePayloadTooLarge {
			results = append(results, BatchResult{Error: &ErrorDetail{Code: refused.Code, Message: refused.Message}})
			continue
		}
		if err != nil && len(results) > 0 {
			return nil, &BatchError{Results: results, Unsent: keyed[len(results):], Err: err}
		}
		if err != nil {
			return nil, err
		}
		results = append(results, answered...)
	}
	return results, nil
}

// requireApplication refuses a missing or empty application: a forgotten one would send the event to every customer.
func requireApplication(application *string) error {
	if application == nil {
		return optionError("Application", `is required: the id of an application, "ext:" and your own id of it, or AllApplications`)
	}
	return requireHeader("Application", *application)
}

func sendPayload[Answer any](ctx context.Context, t *transport, path, argument string, payload any, options callSettings) (*Answer, error) {
	content, contentType, err := encode(payload)
	if err != nil {
		return nil, err
	}
	if options.contentType != nil {
		contentType = *options.contentType
	}
	if options.application != nil {
		options.headers = append(options.headers, newHeader("Application", "X-Application-Id", *options.application))
	}
	one := call{
		method: "POST", path: path, arguments: []string{argument}, withAPIKey: true, keyed: true,
		content: content, contentType: contentType,
	}
	answer := new(Answer)
	err = t.send(ctx, one, options, func(_ http.Header, body []byte) error {
		var event struct{ ID string }
		if err := json.Unmarshal(body, &event); err != nil {
			return err
		}
		// An answer without an id comes from another server, and the event was not accepted.
		if event.ID == "" {
			return errors.New("no id")
		}
		return json.Unmarshal(body, answer)
	})
	if err != nil {
		return nil, err
	}
	return answer, nil
}

func sendPart(ctx context.Context, t *transport, texts [][]byte, options callSettings) ([]BatchResult, error) {
	content := append([]byte(batchStart), bytes.Join(texts, []byte(","))...)
	answer, err := request[BatchAnswer](ctx, t, call{
		method: "POST", path: "/api/ingest/batch", withAPIKey: true,
		content: append(content, batchEnd...), contentType: "application/json",
	}, options)
	if err != nil {
		return nil, err
	}
	if len(answer.Results) != len(texts) {
		message := "The answer to a batch of events has not as many results"
		return nil, &Error{Kind: Refused, Status: 202, Code: CodeUnexpectedAnswer, Message: message}
	}
	return answer.Results, nil
}

// splitBatch makes parts of at most 100 events and 1 MiB. A larger event is a part of its own: the server refuses it.
func splitBatch(texts [][]byte) [][][]byte {
	var parts [][][]byte
	start, size := 0, len(batchStart)+len(batchEnd)
	for n, text := range texts {
		if n > start && (n-start == batchEvents || size+len(text)+1 > batchBytes) {
			parts = append(parts, texts[start:n])
			start, size = n, len(batchStart)+len(batchEnd)
		}
		size += len(text) + 1
	}
	if start < len(texts) {
		parts = append(parts, texts[start:])
	}
	return parts
}

// encode returns the bytes of a payload and their content type.
func encode(payload any) ([]byte, string, error) {
	switch one := payload.(type) {
	case string:
		return []byte(one), "text/plain; charset=utf-8", nil
	case []byte:
		// Copy the bytes: the caller may change them during retries. The copy of nil is empty, not nil.
		return append([]byte{}, one...), "application/octet-stream", nil
	case json.RawMessage:
		return append([]byte{}, one...), "application/json", nil
	}
	content, err := marshal(payload)
	if err != nil {
		return nil, "", payloadError(err)
	}
	return content, "application/json", nil
}

// marshal writes JSON without the escapes for HTML that Go adds by default.
func marshal(value any) ([]byte, error) {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buffer.Bytes(), []byte("\n")), nil
}

func payloadError(err error) error {
	failed := optionError("payload", "must be a JSON value, a string or bytes")
	failed.Err = err
	return failed
}
