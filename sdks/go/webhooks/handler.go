package webhooks

import (
	"errors"
	"io"
	"net/http"
)

// MostBytes is the largest body that a handler reads: an event of 1 MiB in an envelope, with base64.
const MostBytes = 3 << 19

// Receive takes a webhook that is genuine. It may be called more than once for the same ID: store it once, and do the slow
// work later. The request gives the context and the other headers; its body was read. After an error, Posthorn sends the
// webhook again.
type Receive func(webhook *Webhook, request *http.Request) error

// NewHandler answers a handler of net/http that verifies every request before it gives the webhook to receive. It answers
// 204, 400 to what is not genuine, 405 to other methods than POST, 413 to a body above [MostBytes] and 500 after an error of
// receive. Its own error means that a secret cannot be used.
func NewHandler(receive Receive, secrets ...string) (http.Handler, error) {
	verifier, err := NewVerifier(secrets...)
	if err != nil {
		return nil, err
	}
	return verifier.Handler(receive), nil
}

// Handler is [NewHandler] with this verifier.
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
			// What failed is nobody else's business.
			http.Error(writer, "the webhook was not processed", http.StatusInternalServerError)
			return
		}
		writer.WriteHeader(http.StatusNoContent)
	})
}
