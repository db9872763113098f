package webhooks_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/posthorn/posthorn-go/webhooks"
)

// listen starts a receiver, and returns its address.
func listen(t *testing.T, receive webhooks.Receive) string {
	handler, err := webhooks.NewHandler(receive, secret)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}

// deliver sends a signed request, which change may modify, and returns the status and the text of the response.
func deliver(t *testing.T, url string, body []byte, change func(*http.Request)) (int, string) {
	request, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	header, err := webhooks.Sign(body, secret, webhooks.SignOptions{ID: "msg_1"})
	if err != nil {
		t.Fatal(err)
	}
	request.Header = header
	request.Header.Set("Webhook-Event-Type", "order.paid")
	request.Header.Set("Webhook-Attempt", "2")
	if change != nil {
		change(request)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

func TestAHandlerGivesOnAGenuineWebhook(t *testing.T) {
	var got *webhooks.Webhook
	url := listen(t, func(webhook *webhooks.Webhook, _ *http.Request) error {
		got = webhook
		return nil
	})
	status, _ := deliver(t, url, []byte(`{"total":1900}`), nil)
	var order struct{ Total int }
	if status != http.StatusNoContent || got == nil || got.JSON(&order) != nil {
		t.Fatalf("the answer is %d, the webhook %+v", status, got)
	}
	if order.Total != 1900 || got.ID != "msg_1" || got.Type != "order.paid" || got.Attempt != 2 {
		t.Errorf("the webhook is %+v", got)
	}
}

func TestAHandlerRefusesWhatIsNotGenuine(t *testing.T) {
	url := listen(t, func(*webhooks.Webhook, *http.Request) error {
		t.Error("it was given on")
		return nil
	})
	for name, one := range map[string]struct {
		change func(*http.Request)
		body   []byte
		status int
	}{
		"another id":   {func(r *http.Request) { r.Header.Set("Webhook-Id", "msg_2") }, nil, http.StatusBadRequest},
		"no signature": {func(r *http.Request) { r.Header.Del("Webhook-Signature") }, nil, http.StatusBadRequest},
		"a GET":        {func(r *http.Request) { r.Method, r.Body = http.MethodGet, nil }, nil, http.StatusMethodNotAllowed},
		"too large":    {nil, make([]byte, webhooks.MostBytes+1), http.StatusRequestEntityTooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			if status, _ := deliver(t, url, one.body, one.change); status != one.status {
				t.Errorf("the answer is %d", status)
			}
		})
	}
}

func TestAHandlerDoesNotTellTheSenderWhatFailed(t *testing.T) {
	url := listen(t, func(*webhooks.Webhook, *http.Request) error { return errors.New("password of the database") })
	status, text := deliver(t, url, []byte("{}"), nil)
	if status != http.StatusInternalServerError || strings.Contains(text, "password") {
		t.Errorf("the answer is %d: %s", status, text)
	}
}

func TestASecretThatCannotBeUsedIsFoundBeforeTheFirstWebhook(t *testing.T) {
	if _, err := webhooks.NewHandler(nil, "whsec_%%%"); !errors.Is(err, webhooks.InvalidSecret) {
		t.Errorf("the error is %v", err)
	}
}
