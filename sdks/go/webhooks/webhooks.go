// Package webhooks verifies the webhooks that Posthorn delivers, and signs webhooks for the tests of a receiver.
//
// A receiver on net/http only needs [NewHandler]. [Verify] works with every framework: give it the body as it arrived,
// before any parsing.
package webhooks

import (
	"bytes"
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// DefaultTolerance is how far the timestamp of a webhook may be in the past or in the future.
const DefaultTolerance = 5 * time.Minute

// mostSignatures is how many signatures of a header are read. The rest are ignored.
const mostSignatures = 100

// Webhook is a genuine webhook: its signature was verified.
type Webhook struct {
	// ID is the event's id, the same in every attempt. If you have seen an ID before, the webhook is a repetition.
	ID string
	// Timestamp is the time of this attempt.
	Timestamp time.Time
	// Payload has the signed bytes.
	Payload []byte
	// Type is the event type; empty for an event that was sent to this endpoint alone. The signature does not cover
	// Type and the fields below.
	Type       string
	DeliveryID string
	// ContentType is the content type that the producer sent.
	ContentType string
	// Attempt counts the attempts of this delivery from 1. It is 0 if the header is missing.
	Attempt int
}

// JSON parses the payload into value. It skips a byte order mark, which is not part of JSON.
func (w *Webhook) JSON(value any) error {
	return json.Unmarshal(bytes.TrimPrefix(w.Payload, []byte("\ufeff")), value)
}

// Reason says why a webhook is refused. It is an error itself: errors.Is(err, webhooks.TooOld).
type Reason string

const (
	// MissingHeader means that webhook-id, webhook-timestamp or webhook-signature is missing.
	MissingHeader Reason = "missing_header"
	// InvalidTimestamp means that webhook-timestamp is not a number of seconds.
	InvalidTimestamp Reason = "invalid_timestamp"
	// TooOld means that the webhook is older than the tolerance: somebody may have recorded it, to replay it.
	TooOld Reason = "too_old"
	// TooNew means that the timestamp is further in the future than the tolerance allows.
	TooNew Reason = "too_new"
	// NoMatchingSignature means that the body was changed, or that the webhook was signed with a different secret.
	NoMatchingSignature Reason = "no_matching_signature"
	// InvalidSecret means that the secret of the receiver is missing or malformed, or is a public key that cannot sign.
	InvalidSecret Reason = "invalid_secret"
)

func (r Reason) Error() string { return string(r) }

// Error is the error of this package. It never shows a secret.
type Error struct {
	Reason  Reason
	Message string
}

func (e *Error) Error() string { return "posthorn webhook: " + e.Message }

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Reason }

func fail(reason Reason, message string) error {
	return &Error{Reason: reason, Message: message}
}

// Verifier verifies webhooks. Many goroutines may use it at the same time.
type Verifier struct {
	keys []key
	// Tolerance is how far the timestamp of a webhook may be in the past or in the future.
	Tolerance time.Duration
	// Now is the clock.
	Now func() time.Time
}

// NewVerifier takes the secrets (whsec_…) and public keys (whpk_…) of an endpoint. While a secret is rotated, give both.
// The error is an *Error with the reason InvalidSecret.
func NewVerifier(secrets ...string) (*Verifier, error) {
	if len(secrets) == 0 {
		return nil, fail(InvalidSecret, "no secret is given")
	}
	keys := make([]key, len(secrets))
	for n, secret := range secrets {
		read, err := readKey(secret)
		if err != nil {
			return nil, err
		}
		keys[n] = read
	}
	return &Verifier{keys: keys, Tolerance: DefaultTolerance, Now: time.Now}, nil
}

// Verify returns the webhook if a signature matches one of the secrets (whsec_…) or public keys (whpk_…), and the
// timestamp is within [DefaultTolerance]. The error is an *Error.
func Verify(payload []byte, header http.Header, secrets ...string) (*Webhook, error) {
	verifier, err := NewVerifier(secrets...)
	if err != nil {
		return nil, err
	}
	return verifier.Verify(payload, header)
}

// Verify returns the webhook if it is genuine. The payload is the body as it arrived. The error is an *Error.
func (v *Verifier) Verify(payload []byte, header http.Header) (*Webhook, error) {
	id, seconds, signatures := header.Get("webhook-id"), header.Get("webhook-timestamp"), header.Get("webhook-signature")
	for name, value := range map[string]string{"webhook-id": id, "webhook-timestamp": seconds, "webhook-signature": signatures} {
		if value == "" {
			return nil, fail(MissingHeader, name+" is missing")
		}
	}
	timestamp, err := readTimestamp(seconds)
	if err != nil {
		return nil, err
	}
	// Times are compared, because a duration ends after 292 years.
	now := v.Now()
	if now.Add(-v.Tolerance).After(timestamp) {
		return nil, fail(TooOld, "webhook-timestamp is too old")
	}
	if timestamp.After(now.Add(v.Tolerance)) {
		return nil, fail(TooNew, "webhook-timestamp is in the future")
	}
	content := signedContent(id, seconds, payload)
	entries := strings.SplitN(signatures, " ", mostSignatures+1)
	for _, entry := range entries[:min(len(entries), mostSignatures)] {
		version, text, _ := strings.Cut(entry, ",")
		signature, err := decode(text)
		if err != nil {
			continue
		}
		for _, key := range v.keys {
			if key.version() == version && key.matches(content, signature) {
				return describe(&Webhook{ID: id, Timestamp: timestamp, Payload: payload}, header), nil
			}
		}
	}
	return nil, fail(NoMatchingSignature, "no signature matches: the body was changed, or the secret is another")
}

func describe(webhook *Webhook, header http.Header) *Webhook {
	webhook.Type = header.Get("webhook-event-type")
	webhook.DeliveryID = header.Get("webhook-delivery-id")
	webhook.ContentType = header.Get("content-type")
	webhook.Attempt, _ = strconv.Atoi(header.Get("webhook-attempt"))
	return webhook
}

func readTimestamp(text string) (time.Time, error) {
	seconds, err := strconv.ParseUint(text, 10, 64)
	if err != nil || len(text) > 12 {
		return time.Time{}, fail(InvalidTimestamp, "webhook-timestamp is not a number of seconds")
	}
	return time.Unix(int64(seconds), 0), nil
}

// key verifies signatures. It is a secret or a public key.
type key interface {
	version() string
	matches(content, signature []byte) bool
}

type secretKey []byte

func (k secretKey) version() string { return "v1" }

func (k secretKey) sign(content []byte) []byte {
	mac := hmac.New(sha256.New, k)
	mac.Write(content)
	return mac.Sum(nil)
}

// matches compares in constant time.
func (k secretKey) matches(content, signature []byte) bool {
	return hmac.Equal(k.sign(content), signature)
}

type publicKey ed25519.PublicKey

func (k publicKey) version() string { return "v1a" }

func (k publicKey) matches(content, signature []byte) bool {
	return ed25519.Verify(ed25519.PublicKey(k), content, signature)
}

func readKey(secret string) (key, error) {
	// A secret that was read from a file or pasted often has a line break at its end.
	text, isPublic := strings.CutPrefix(strings.TrimSpace(secret), "whpk_")
	read, err := decode(strings.TrimPrefix(text, "whsec_"))
	if err != nil || len(read) == 0 || (isPublic && len(read) != ed25519.PublicKeySize) {
		return nil, fail(InvalidSecret, "a secret is not whsec_ or whpk_ and base64")
	}
	if isPublic {
		return publicKey(read), nil
	}
	return secretKey(read), nil
}

// decode reads base64 with or without its padding.
func decode(text string) ([]byte, error) {
	return base64.RawStdEncoding.DecodeString(strings.TrimRight(text, "="))
}

func signedContent(id, seconds string, payload []byte) []byte {
	return append([]byte(id+"."+seconds+"."), payload...)
}

// SignOptions are the options of [Sign]. By default, the ID is random and the Timestamp is now.
type SignOptions struct {
	ID        string
	Timestamp time.Time
}

// Sign returns the headers that Posthorn would send with the payload, for the tests of a receiver.
func Sign(payload []byte, secret string, options SignOptions) (http.Header, error) {
	read, err := readKey(secret)
	if err != nil {
		return nil, err
	}
	signing, isSecret := read.(secretKey)
	if !isSecret {
		return nil, fail(InvalidSecret, "a public key cannot sign")
	}
	id, at := options.ID, options.Timestamp
	if id == "" {
		var random [16]byte
		if _, err := rand.Read(random[:]); err != nil {
			return nil, err
		}
		id = fmt.Sprintf("msg_%x", random)
	}
	if at.IsZero() {
		at = time.Now()
	}
	seconds := strconv.FormatInt(at.Unix(), 10)
	signature := base64.StdEncoding.EncodeToString(signing.sign(signedContent(id, seconds, payload)))
	header := http.Header{}
	header.Set("webhook-id", id)
	header.Set("webhook-timestamp", seconds)
	header.Set("webhook-signature", "v1,"+signature)
	return header, nil
}
