package webhooks

import (
	"errors"
	"io"
	"net/http"
)

// MostBytes is the largest body that a handler reads: an event of 1 MiB in an envelope, with base64.
const MostBytes = 3 << 19

// Receive handles a genuine webhook. It may be called more than once with the same ID: store each ID once, and do the
// slow work later. The request has the context and the other headers; its body is already read. If Receive returns an
// error, Posthorn sends the webhook again.
type Receive func(webhook *Webhook, request *http.Request) error

// NewHandler returns a handler for net/http that verifies every request before it passes the webhook to receive. The
// handler responds with 204, or with 400 to a request that is not genuine, 405 to methods other than POST, 413 to a
// body above [MostBytes] and 500 if receive returns an error. NewHandler itself returns an error if a secret is
// invalid.
func NewHandler(receive Receive, secrets ...string) (http.Handler, error) {
	verifier, err := NewVerifier(secrets...)
	if err != nil {
		return nil, err
	}
	return verifier.Handler(receive), nil
}

// Handler returns the handler of [NewHandler], with this verifier.
func (v *Verifier) Handler(receive Receive) http.Handler {
	return http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
		if request.Method != http.MethodPost {
			writer.Header().Set("Allow", http.MethodPost)
			http.Error(writer, "a webhook is a POST", http.StatusMethodNotAllowed)
			return
		}
		payload, err := io.ReadAll(http.MaxBytesReader(writer, request.Body, MostBytes))
		var tooLarge *http.MaxBytesError
		if errors.As(err, &tooLarge) {
			http.Error(writer, "the body is too large", http.StatusRequestEntityTooLarge)
			return
		}
		if err != nil {
			http.Error(writer, "the body did not arrive", http.StatusBadRequest)
			return
		}
		webhook, err := v.Verify(payload, request.Header)
		if err != nil {
			http.Error(writer, err.Error(), http.StatusBadRequest)
			return
		}
		if err := receive(webhook, request); err != nil {
			// The response does not show the error: it may contain internal details.
			http.Error(writer, "the webhook was not processed", http.StatusInternalServerError)
			return
		}
		writer.WriteHeader(http.StatusNoContent)
	})
}
