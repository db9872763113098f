package webhooks_test

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/posthorn/posthorn-go/webhooks"
)

const secret = "whsec_YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWE="

type payload struct {
	Text, Base64 string
	Repeat       int
}

func (p payload) bytes(t *testing.T) []byte {
	if p.Base64 == "" {
		return []byte(strings.Repeat(p.Text, max(p.Repeat, 1)))
	}
	decoded, err := base64.StdEncoding.DecodeString(p.Base64)
	if err != nil {
		t.Fatal(err)
	}
	return decoded
}

// values are the values of a header. JSON has a string for one value, and an array for several.
type values []string

func (v *values) UnmarshalJSON(text []byte) error {
	var one string
	if json.Unmarshal(text, &one) == nil {
		*v = values{one}
		return nil
	}
	return json.Unmarshal(text, (*[]string)(v))
}

type vectors struct {
	Cases []struct {
		Name             string
		Payload          payload
		Headers          map[string]values
		Secrets          []string
		Now              int64
		ToleranceSeconds *int
		Expect           struct {
			ID        string
			Timestamp int64
			Reason    webhooks.Reason
		}
	}
	Signs []struct {
		Name, Secret, ID string
		Payload          payload
		Timestamp        int64
		Headers          map[string]string
	}
}

func readVectors(t *testing.T) vectors {
	text, err := os.ReadFile("../../conformance/signature.json")
	if err != nil {
		t.Fatal(err)
	}
	var read vectors
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	return read
}

func headerOf(all map[string]values) http.Header {
	header := http.Header{}
	for name, values := range all {
		for _, value := range values {
			header.Add(name, value)
		}
	}
	return header
}

func TestEveryVectorIsVerifiedAsItSays(t *testing.T) {
	for _, one := range readVectors(t).Cases {
		t.Run(one.Name, func(t *testing.T) {
			body := one.Payload.bytes(t)
			var webhook *webhooks.Webhook
			verifier, err := webhooks.NewVerifier(one.Secrets...)
			if err == nil {
				verifier.Now = func() time.Time { return time.Unix(one.Now, 0) }
				if one.ToleranceSeconds != nil {
					verifier.Tolerance = time.Duration(*one.ToleranceSeconds) * time.Second
				}
				webhook, err = verifier.Verify(body, headerOf(one.Headers))
			}
			if one.Expect.Reason != "" {
				if !errors.Is(err, one.Expect.Reason) {
					t.Fatalf("the error is %v, not %v", err, one.Expect.Reason)
				}
				for _, secret := range one.Secrets {
					if len(secret) > len("whsec_") && strings.Contains(err.Error(), secret) {
						t.Error("the error shows a secret")
					}
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if webhook.ID != one.Expect.ID || webhook.Timestamp.Unix() != one.Expect.Timestamp || string(webhook.Payload) != string(body) {
				t.Errorf("the webhook is %+v", webhook)
			}
		})
	}
}

func TestEveryVectorIsSignedAsPosthornSigns(t *testing.T) {
	for _, one := range readVectors(t).Signs {
		t.Run(one.Name, func(t *testing.T) {
			options := webhooks.SignOptions{ID: one.ID, Timestamp: time.Unix(one.Timestamp, 0)}
			header, err := webhooks.Sign(one.Payload.bytes(t), one.Secret, options)
			if err != nil {
				t.Fatal(err)
			}
			for name, value := range one.Headers {
				if header.Get(name) != value {
					t.Errorf("%s is %q, not %q", name, header.Get(name), value)
				}
			}
		})
	}
}

func TestWhatSignMakesIsVerified(t *testing.T) {
	header, err := webhooks.Sign([]byte("{}"), secret, webhooks.SignOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := webhooks.Verify([]byte("{}"), header, secret); err != nil {
		t.Error(err)
	}
}

func TestAPublicKeyCannotSign(t *testing.T) {
	_, err := webhooks.Sign(nil, "whpk_25lf4lFp0UHKubu6krqgH58uHs599MsqwFGQ83/MH50=", webhooks.SignOptions{})
	if !errors.Is(err, webhooks.InvalidSecret) {
		t.Errorf("the error is %v", err)
	}
}
