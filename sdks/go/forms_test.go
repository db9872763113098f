package posthorn_test

import (
	"encoding/json"
	"testing"

	"github.com/posthorn/posthorn-go"
)

// same reads a value from its JSON, and checks that it is written as the same JSON.
func same[T any](t *testing.T, text string) T {
	t.Helper()
	var value T
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	written, err := json.Marshal(value)
	if err != nil || string(written) != text {
		t.Errorf("%s became %s (%v)", text, written, err)
	}
	return value
}

func TestAValueWithSeveralFormsIsReadAndWrittenInEachOfThem(t *testing.T) {
	equal(t, same[posthorn.Signature](t, `"github"`).Name, "github")
	hmac := same[posthorn.Signature](t, `{"scheme":"hmac","header":"X-Signature","algorithm":"sha512"}`).HmacSignature
	algorithm, _ := hmac.Algorithm.Get()
	equal(t, []string{hmac.Header, algorithm}, []string{"X-Signature", "sha512"})

	equal(t, same[posthorn.ChosenEventType](t, `"order.*"`).Name, "order.*")
	equal(t, same[posthorn.ChosenEventType](t, `{"name":"order.paid","filter":{"total":1}}`).ChosenName.Name, "order.paid")
	equal(t, same[posthorn.ChosenEventType](t, `{"pattern":"order.*"}`).ChosenPattern.Pattern, "order.*")

	equal(t, same[posthorn.PromotedEventTypes](t, `"all"`).Name, "all")
	equal(t, same[posthorn.PromotedEventTypes](t, `[]`).List, []string{})
	equal(t, same[posthorn.HeaderValue](t, `["a","b"]`).List, []string{"a", "b"})
}

func TestAFormOfANewerServiceIsKept(t *testing.T) {
	unknown := same[posthorn.Signature](t, `{"scheme":"rsa","key":"k"}`)
	equal(t, string(unknown.Unknown), `{"scheme":"rsa","key":"k"}`)
}

func TestADestinationIsOfTheTypeOfItsEndpoint(t *testing.T) {
	body := posthorn.CreateEndpointBody{
		Type: posthorn.Value("kafka"),
		Config: posthorn.Value(posthorn.EndpointConfig{
			Destination: posthorn.Value(posthorn.DestinationOf(posthorn.KafkaDestination{Brokers: []string{"a:1"}, Topic: "t"})),
			Signature:   posthorn.Value(posthorn.Signature{Name: "svix"}),
		}),
		EventTypes: posthorn.Value([]posthorn.ChosenEventType{{Name: "order.paid"}}),
	}
	equal(t, asJSON(t, body), `{"type":"kafka","config":{"destination":{"brokers":["a:1"],"topic":"t"},"signature":"svix"},"eventTypes":["order.paid"]}`)

	endpoint := same[posthorn.EndpointConfig](t, `{"destination":{"queueUrl":"https://sqs.example.com/1","newer":true}}`)
	destination, _ := endpoint.Destination.Get()
	queue, err := posthorn.AsDestination[posthorn.SqsDestination](destination)
	equal(t, []any{queue.QueueURL, err}, []any{"https://sqs.example.com/1", nil})
}
