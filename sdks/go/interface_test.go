package posthorn_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/posthorn/posthorn-go"
)

// all sends an event to the endpoints of every customer: the events of these tests belong to no customer.
var all = posthorn.WithApplication(posthorn.AllApplications)

// These are ten tests of e2e/contract, written with this library alone and without any request of their own.
// e2e/sdks/go.test.ts starts Posthorn and runs them with the environment variables of that server.

const hook = "https://127.0.0.1/"

var numbers atomic.Int64

func unique(prefix string) string { return fmt.Sprintf("%s_go_%d", prefix, numbers.Add(1)) }

// running returns a client of the running Posthorn, and the id of its environment.
func running(t *testing.T) (*posthorn.Client, string) {
	environment := os.Getenv("POSTHORN_CALLS_ENVIRONMENT")
	if environment == "" {
		t.Skip("POSTHORN_CALLS_ENVIRONMENT names no environment of a running Posthorn")
	}
	return must(posthorn.New(posthorn.Options{}))(t), environment
}

// must takes the results of a call, and fails the test if the call returned an error.
func must[T any](value T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

func equal[T any](t *testing.T, got, want T) {
	t.Helper()
	if one, other := asJSON(t, got), asJSON(t, want); one != other {
		t.Errorf("got %s, want %s", one, other)
	}
}

func asJSON(t *testing.T, value any) string {
	t.Helper()
	return string(must(json.Marshal(value))(t))
}

func refusedWith(t *testing.T, err error, kind posthorn.Kind, code posthorn.ErrorCode) {
	t.Helper()
	var own *posthorn.Error
	if !errors.Is(err, kind) || !errors.As(err, &own) || own.Code != code {
		t.Errorf("the error is %v, not %s with the code %s", err, kind, code)
	}
}

func waitFor(t *testing.T, what string, condition func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !condition(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited 20 s for %s", what)
		}
	}
}

// makeRoute returns the name of a new event type, and the id of an endpoint that subscribes to it.
func makeRoute(t *testing.T, client *posthorn.Client, environment string) (string, string) {
	ctx := context.Background()
	body := posthorn.CreateEventTypeBody{Name: unique("order"), PublishIn: posthorn.Value([]string{environment})}
	eventType := must(client.EventTypes.Create(ctx, body))(t)
	endpoint := makeEndpoint(t, client, posthorn.CreateEndpointBody{})
	subscription := posthorn.SubscribeEndpointBody{EventTypeIDs: []string{eventType.ID}}
	must(client.Endpoints.Subscribe(ctx, endpoint.ID, subscription))(t)
	return eventType.Name, endpoint.ID
}

func makeEndpoint(t *testing.T, client *posthorn.Client, body posthorn.CreateEndpointBody) *posthorn.CreatedEndpoint {
	body.URL = posthorn.Value(hook)
	return must(client.Endpoints.Create(context.Background(), body))(t)
}

func TestInterfaceAnEndpointHasItsFieldsAndThePasswordIsInNoAnswer(t *testing.T) {
	client, environment := running(t)
	metadata := map[string]any{"a": "x", "b": 1, "c": true, "d": nil}
	created := makeEndpoint(t, client, posthorn.CreateEndpointBody{
		Description:  posthorn.Value("D"),
		AuthUsername: posthorn.Value("ada"),
		AuthPassword: posthorn.Value("pass-canary"),
		Config:       posthorn.Value(posthorn.EndpointConfig{TimeoutSeconds: posthorn.Value(5)}),
		Metadata:     posthorn.Value(metadata),
	})
	equal(t, created.EnvironmentID, environment)
	equal(t, created.ApplicationID, nil)
	equal(t, []any{created.Description, *created.AuthUsername, created.HasAuth, created.IsActive}, []any{"D", "ada", true, true})
	equal(t, created.Config, posthorn.EndpointConfig{TimeoutSeconds: posthorn.Value(5)})
	equal(t, created.Metadata, metadata)
	if created.Secret == nil || !strings.HasPrefix(*created.Secret, "whsec_") {
		t.Errorf("the secret is %v", created.Secret)
	}
	got := must(client.Endpoints.Get(context.Background(), created.ID))(t)
	equal(t, []string{got.ID, got.URL}, []string{created.ID, hook})
	if text := asJSON(t, created) + asJSON(t, got); strings.Contains(text, "pass-canary") {
		t.Errorf("an answer shows the password: %s", text)
	}
}

func TestInterfaceAnEndpointWithoutHTTPSIsRefusedAndTheErrorSaysWhatIsWrong(t *testing.T) {
	client, _ := running(t)
	body := posthorn.CreateEndpointBody{URL: posthorn.Value("http://127.0.0.1/")}
	_, err := client.Endpoints.Create(context.Background(), body)
	refusedWith(t, err, posthorn.Validation, "validation_error")
	if !strings.Contains(fmt.Sprint(err), "URL") {
		t.Errorf("the error is %v", err)
	}
}

func TestInterfaceAnUpdateKeepsWhatIsAbsentAndNullClears(t *testing.T) {
	client, _ := running(t)
	ctx := context.Background()
	metadata := posthorn.Value(map[string]any{"a": "x"})
	id := makeEndpoint(t, client, posthorn.CreateEndpointBody{Description: posthorn.Value("kept"), Metadata: metadata}).ID
	updated := must(client.Endpoints.Update(ctx, id, posthorn.UpdateEndpointBody{IsActive: posthorn.Value(false)}))(t)
	equal(t, []any{updated.IsActive, updated.Description, updated.Metadata}, []any{false, "kept", map[string]any{"a": "x"}})
	cleared := must(client.Endpoints.Update(ctx, id, posthorn.UpdateEndpointBody{Metadata: posthorn.Null[map[string]any]()}))(t)
	equal(t, []any{cleared.IsActive, cleared.Description, cleared.Metadata}, []any{false, "kept", map[string]any{}})
}

func TestInterfaceADeletedEndpointIsNotFound(t *testing.T) {
	client, _ := running(t)
	id := makeEndpoint(t, client, posthorn.CreateEndpointBody{}).ID
	if err := client.Endpoints.Delete(context.Background(), id); err != nil {
		t.Fatal(err)
	}
	_, err := client.Endpoints.Get(context.Background(), id)
	refusedWith(t, err, posthorn.NotFound, "not_found")
}

func TestInterfaceTheNameOfAnEventTypeIsUsedOnce(t *testing.T) {
	client, _ := running(t)
	body := posthorn.CreateEventTypeBody{Name: unique("order")}
	must(client.EventTypes.Create(context.Background(), body))(t)
	_, err := client.EventTypes.Create(context.Background(), body)
	refusedWith(t, err, posthorn.Conflict, "event_type_exists")
}

func TestInterfaceAnApplicationIsFoundByItsExternalIDAndListsOnlyItsOwnEndpoints(t *testing.T) {
	client, _ := running(t)
	ctx := context.Background()
	externalID := unique("customer")
	body := posthorn.CreateApplicationBody{Name: "Customer", ExternalID: posthorn.Value(externalID)}
	application := must(client.Applications.Create(ctx, body))(t)
	equal(t, must(client.Applications.Get(ctx, "ext:"+externalID))(t), application)
	endpoint := posthorn.CreateApplicationEndpointBody{URL: posthorn.Value(hook)}
	owned := must(client.Applications.CreateEndpoint(ctx, application.ID, endpoint))(t)
	list := client.Endpoints.List(posthorn.ListEndpointsOptions{ApplicationID: application.ID})
	listed := must(list.Collect(ctx, 10))(t)
	if len(listed) != 1 || listed[0].ID != owned.ID {
		t.Errorf("it lists %s", asJSON(t, listed))
	}
}

func TestInterfaceTheSameKeyCreatesOneEventAndAnotherPayloadUnderItIsAConflict(t *testing.T) {
	client, environment := running(t)
	ctx := context.Background()
	eventType, _ := makeRoute(t, client, environment)
	key := posthorn.WithIdempotencyKey(unique("key"))
	first := must(client.Events.Send(ctx, eventType, map[string]int{"total": 1900}, all, key))(t)
	again := must(client.Events.Send(ctx, eventType, map[string]int{"total": 1900}, all, key))(t)
	equal(t, []any{first.Duplicate, again.Duplicate, again.ID}, []any{false, true, first.ID})
	_, err := client.Events.Send(ctx, eventType, map[string]int{"total": 1}, all, key)
	refusedWith(t, err, posthorn.Conflict, "idempotency_conflict")
}

func TestInterfaceAnEventReachesTheEndpointThatSubscribesAndItsTraceSaysWhy(t *testing.T) {
	client, environment := running(t)
	ctx := context.Background()
	eventType, endpointID := makeRoute(t, client, environment)
	id := must(client.Events.Send(ctx, eventType, map[string]int{"total": 1900}, all))(t).ID
	waitFor(t, "the event to be fanned out", func() bool {
		return must(client.Events.Get(ctx, id))(t).Status == "matched"
	})
	deliveries := must(client.Events.ListDeliveries(id).Collect(ctx, 10))(t)
	if len(deliveries) != 1 {
		t.Fatalf("it has the deliveries %s", asJSON(t, deliveries))
	}
	one := deliveries[0]
	equal(t, []string{one.EventID, one.EndpointID, *one.EventType}, []string{id, endpointID, eventType})
	trace := must(client.Events.Trace(ctx, id, posthorn.TraceEventOptions{Decision: "matched"}))(t)
	if len(trace.Endpoints) != 1 || trace.Endpoints[0].EndpointID != endpointID {
		t.Errorf("the trace is %s", asJSON(t, trace))
	}
}

func TestInterfaceAListLeadsThroughAllOfItsPagesWithoutAGapOrARepeat(t *testing.T) {
	client, environment := running(t)
	ctx := context.Background()
	eventType, _ := makeRoute(t, client, environment)
	events := make([]posthorn.BatchEvent, 7)
	for n := range events {
		events[n] = posthorn.BatchEvent{EventType: posthorn.Value(eventType), Data: map[string]int{"n": n}}
	}
	var sent, read []string
	for _, result := range must(client.Events.SendBatch(ctx, events, all))(t) {
		sent = append(sent, *result.ID)
	}
	options := posthorn.ListEventsOptions{EventType: eventType, Limit: 3}
	for event, err := range client.Events.List(options).All(ctx) {
		read = append(read, must(event, err)(t).ID)
	}
	equal(t, slices.Sorted(slices.Values(read)), slices.Sorted(slices.Values(sent)))
	page := must(client.Events.List(options).Page(ctx))(t)
	options.Cursor = page.NextCursor
	rest := must(client.Events.List(options).Collect(ctx, 10))(t)
	var both []string
	for _, event := range append(page.Items, rest...) {
		both = append(both, event.ID)
	}
	equal(t, []any{len(page.Items), both}, []any{3, read})
}

func TestInterfaceARotatedAPIKeyWorksUnderItsNewValueAndADeletedOneNoLonger(t *testing.T) {
	client, environment := running(t)
	ctx := context.Background()
	eventType, _ := makeRoute(t, client, environment)
	created := must(client.APIKeys.Create(ctx, environment, posthorn.CreateAPIKeyBody{Name: "checkout"}))(t)
	grace := &posthorn.RotateAPIKeyBody{GracePeriodSeconds: posthorn.Value(0)}
	rotated := must(client.APIKeys.Rotate(ctx, environment, created.ID, grace))(t)
	sender := must(posthorn.New(posthorn.Options{APIKey: *rotated.Key}))(t)
	sent := must(sender.Events.Send(ctx, eventType, "as it is", all))(t)
	equal(t, []any{*sent.EventType, sent.Published}, []any{eventType, true})
	if err := client.APIKeys.Delete(ctx, environment, rotated.ID); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "the deleted key to be refused", func() bool {
		_, err := sender.Events.Send(ctx, eventType, "as it is", all)
		return errors.Is(err, posthorn.Unauthorized)
	})
}
