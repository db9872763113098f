package posthorn_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/posthorn/posthorn-go"
)

const token, apiKey = "phm_secret_token", "phk_secret_key"

// newClient starts a server with the given handler, and makes a client for it.
func newClient(t *testing.T, handle http.HandlerFunc, change func(*posthorn.Options)) *posthorn.Client {
	server := httptest.NewServer(handle)
	t.Cleanup(server.Close)
	options := posthorn.Options{BaseURL: server.URL, Token: token, APIKey: apiKey, WorkspaceID: "ws_1"}
	if change != nil {
		change(&options)
	}
	client, err := posthorn.New(options)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func answer(text string) http.HandlerFunc {
	return func(writer http.ResponseWriter, _ *http.Request) { io.WriteString(writer, text) }
}

func TestAServiceThatIsAwayIsToldOnceOfWhatIsGivenBack(t *testing.T) {
	var given atomic.Int32
	lease := `{"deliveryId":"dlv_%d","leaseToken":"t","headers":{},"body":"e30="}`
	messages := fmt.Sprintf(lease+","+lease+","+lease, 1, 2, 3)
	client := newClient(t, func(writer http.ResponseWriter, request *http.Request) {
		if strings.HasSuffix(request.URL.Path, "/lease") {
			fmt.Fprintf(writer, `{"messages":[%s],"waiting":0,"oldestAgeSeconds":null}`, messages)
			return
		}
		given.Add(1)
		writer.WriteHeader(http.StatusServiceUnavailable)
	}, func(o *posthorn.Options) { o.PullKey, o.Retries = "phpl_secret_key", posthorn.Value(0) })
	for _, err := range client.Pull(context.Background(), "ep_1", posthorn.PullOptions{Max: 3}) {
		if err != nil {
			t.Fatal(err)
		}
		break
	}
	if given.Load() != 1 {
		t.Errorf("it was told %d times", given.Load())
	}
}

func TestALoopWhoseContextEndsHandsOutNothingMore(t *testing.T) {
	var lock sync.Mutex
	var told []string
	lease := `{"deliveryId":"dlv_%d","leaseToken":"t","headers":{},"body":"e30="}`
	client := newClient(t, func(writer http.ResponseWriter, request *http.Request) {
		name := request.URL.Path[strings.LastIndex(request.URL.Path, "/")+1:]
		if name == "lease" {
			fmt.Fprintf(writer, `{"messages":[`+lease+`,`+lease+`],"waiting":0}`, 1, 2)
			return
		}
		lock.Lock()
		defer lock.Unlock()
		told = append(told, name)
		io.WriteString(writer, `{"results":[{"deliveryId":"dlv_1","result":"settled"}]}`)
	}, func(o *posthorn.Options) { o.PullKey = "phpl_secret_key" })
	ctx, giveUp := context.WithCancel(context.Background())
	defer giveUp()
	handed := 0
	var ended error
	for _, err := range client.Pull(ctx, "ep_1", posthorn.PullOptions{Max: 2}) {
		if err != nil {
			ended = err
			break
		}
		handed++
		giveUp()
	}
	lock.Lock()
	defer lock.Unlock()
	if handed != 1 || !errors.Is(ended, context.Canceled) || fmt.Sprint(told) != "[ack nack]" {
		t.Errorf("%d messages, %v, %v", handed, ended, told)
	}
}

func TestTheJSONOfAMessageMayBeginWithAByteOrderMark(t *testing.T) {
	body := base64.StdEncoding.EncodeToString([]byte("\ufeff" + `{"total":1900}`))
	client := newClient(t, func(writer http.ResponseWriter, request *http.Request) {
		if strings.HasSuffix(request.URL.Path, "/lease") {
			fmt.Fprintf(writer, `{"messages":[{"deliveryId":"dlv_1","leaseToken":"t","headers":{},"body":%q}],"waiting":0}`, body)
			return
		}
		io.WriteString(writer, `{"results":[{"deliveryId":"dlv_1","result":"settled"}]}`)
	}, func(o *posthorn.Options) { o.PullKey = "phpl_secret_key" })
	for message, err := range client.Pull(context.Background(), "ep_1", posthorn.PullOptions{}) {
		if err != nil {
			t.Fatal(err)
		}
		var order struct{ Total int }
		if err := message.JSON(&order); err != nil || order.Total != 1900 {
			t.Errorf("the order is %+v: %v", order, err)
		}
		break
	}
}

func TestAMessageIsHeldForLonger(t *testing.T) {
	client := newClient(t, func(writer http.ResponseWriter, request *http.Request) {
		if strings.HasSuffix(request.URL.Path, "/lease") {
			io.WriteString(writer, `{"messages":[{"deliveryId":"dlv_1","leaseToken":"t","headers":{},"body":"e30="}],"waiting":0}`)
			return
		}
		body, _ := io.ReadAll(request.Body)
		result := "lease_lost"
		if strings.HasSuffix(request.URL.Path, "/nack") || string(body) == `{"messages":[{"deliveryId":"dlv_1","leaseToken":"t","leaseSeconds":90}]}` {
			result = "settled"
		}
		fmt.Fprintf(writer, `{"results":[{"deliveryId":"dlv_1","result":%q}]}`, result)
	}, func(o *posthorn.Options) { o.PullKey = "phpl_secret_key" })
	for message, err := range client.Pull(context.Background(), "ep_1", posthorn.PullOptions{}) {
		if err != nil {
			t.Fatal(err)
		}
		for lease, want := range map[time.Duration]bool{90 * time.Second: true, 91 * time.Second: false} {
			if held, err := message.Extend(context.Background(), lease); held != want || err != nil {
				t.Errorf("it is %v after %v: %v", held, lease, err)
			}
		}
		break
	}
}

func TestAWrongOptionIsAnErrorThatNamesIt(t *testing.T) {
	good := posthorn.Options{BaseURL: "https://posthorn.example.com", Token: token}
	for option, change := range map[string]func(*posthorn.Options){
		"BaseURL":     func(o *posthorn.Options) { o.BaseURL = "https://ann:hunter2@posthorn.example.com" },
		"Token":       func(o *posthorn.Options) { o.Token = "phm_secret_token\n" },
		"APIKey":      func(o *posthorn.Options) { o.APIKey = "phk secret_key" },
		"WorkspaceID": func(o *posthorn.Options) { o.WorkspaceID = "ws\r\n" },
		"Timeout":     func(o *posthorn.Options) { o.Timeout = -time.Second },
		"Retries":     func(o *posthorn.Options) { o.Retries = posthorn.Value(11) },
	} {
		t.Run(option, func(t *testing.T) {
			options := good
			change(&options)
			_, err := posthorn.New(options)
			var own *posthorn.Error
			if !errors.As(err, &own) || own.Option != option || !errors.Is(err, posthorn.InvalidOption) {
				t.Fatalf("the error is %v", err)
			}
			if text := fmt.Sprintf("%v %+v", err, own); strings.Contains(text, "secret") || strings.Contains(text, "hunter2") {
				t.Errorf("the error shows a credential: %s", text)
			}
		})
	}
}

func TestPrintedOptionsAndClientsShowNoCredential(t *testing.T) {
	options := posthorn.Options{BaseURL: "https://posthorn.example.com", Token: token, APIKey: apiKey}
	client, err := posthorn.New(options)
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf("%v %+v %#v %s %v %+v", options, options, options, options, client, client)
	if strings.Contains(text, "secret") {
		t.Error(text)
	}
}

func TestAnEmptyApplicationIsAnErrorNotAnEventForEveryone(t *testing.T) {
	client := newClient(t, func(http.ResponseWriter, *http.Request) { t.Error("it was sent") }, nil)
	_, err := client.Events.Send(context.Background(), "order.paid", nil, posthorn.WithApplication(""))
	if !errors.Is(err, posthorn.InvalidOption) {
		t.Errorf("the error is %v", err)
	}
}

func TestCallsAtTheSameTimeAskForTheWorkspaceOnce(t *testing.T) {
	var asked atomic.Int32
	arrived, release := make(chan struct{}, 1), make(chan struct{})
	client := newClient(t, func(writer http.ResponseWriter, request *http.Request) {
		if request.URL.Path == "/management/v1/me" {
			asked.Add(1)
			arrived <- struct{}{}
			<-release
			io.WriteString(writer, `{"workspace":{"id":"ws_1"}}`)
			return
		}
		io.WriteString(writer, `{"id":"ep_1"}`)
	}, func(o *posthorn.Options) { o.WorkspaceID = "" })
	// The first caller gives up, and the others still get the answer.
	given, giveUp := context.WithCancel(context.Background())
	first := make(chan error)
	go func() {
		_, err := client.Endpoints.Get(given, "ep_1")
		first <- err
	}()
	<-arrived
	giveUp()
	if err := <-first; !errors.Is(err, context.Canceled) {
		t.Errorf("the first call ended with %v", err)
	}
	var calls sync.WaitGroup
	for range 8 {
		calls.Add(1)
		go func() {
			defer calls.Done()
			if _, err := client.Endpoints.Get(context.Background(), "ep_1"); err != nil {
				t.Error(err)
			}
		}()
	}
	close(release)
	calls.Wait()
	if asked.Load() != 1 {
		t.Errorf("it was asked %d times", asked.Load())
	}
}

func TestFieldsThatAreLeftOutAreNotSent(t *testing.T) {
	for want, body := range map[string]any{
		`{}`:                           posthorn.UpdateApplicationBody{},
		`{"externalId":null}`:          posthorn.UpdateApplicationBody{ExternalID: posthorn.Null[string]()},
		`{"name":""}`:                  posthorn.UpdateApplicationBody{Name: posthorn.Value("")},
		`{"isActive":false}`:           posthorn.UpdateEndpointBody{IsActive: posthorn.Value(false)},
		`{"gracePeriodSeconds":0}`:     posthorn.RotateAPIKeyBody{GracePeriodSeconds: posthorn.Value(0)},
		`{"metadata":{}}`:              posthorn.UpdateApplicationBody{Metadata: posthorn.Value(map[string]string{})},
		`{"example":null}`:             posthorn.UpdateEventTypeBody{Example: posthorn.Null[any]()},
		`{"filter":null}`:              posthorn.UpdateSubscriptionBody{},
		`{"config":{"ordering":"ab"}}`: posthorn.UpdateEndpointBody{Config: posthorn.Value(posthorn.EndpointConfig{Ordering: posthorn.Value("ab")})},
	} {
		text, err := json.Marshal(body)
		if err != nil || string(text) != want {
			t.Errorf("it is %s, not %s: %v", text, want, err)
		}
	}
}

func TestPayloadsAreSentAsTheyAreWritten(t *testing.T) {
	type sent struct{ body, contentType string }
	var got sent
	client := newClient(t, func(writer http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(request.Body)
		got = sent{string(body), request.Header.Get("Content-Type")}
		io.WriteString(writer, `{"id":"msg_1"}`)
	}, nil)
	for name, one := range map[string]struct {
		payload any
		want    sent
	}{
		"a value":     {map[string]string{"a": "<&>"}, sent{`{"a":"<&>"}`, "application/json"}},
		"raw JSON":    {json.RawMessage(`{"b": 1,  "a": 2}`), sent{`{"b": 1,  "a": 2}`, "application/json"}},
		"a string":    {"a,b", sent{"a,b", "text/plain; charset=utf-8"}},
		"bytes":       {[]byte{0, 255}, sent{"\x00\xff", "application/octet-stream"}},
		"an empty []": {[]byte{}, sent{"", "application/octet-stream"}},
		"a nil []":    {[]byte(nil), sent{"", "application/octet-stream"}},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := client.Events.Send(context.Background(), "order.paid", one.payload, all); err != nil {
				t.Fatal(err)
			}
			if got != one.want {
				t.Errorf("it sent %+v", got)
			}
		})
	}
}

func TestAPayloadThatIsNoJSONIsAnError(t *testing.T) {
	client := newClient(t, func(http.ResponseWriter, *http.Request) { t.Error("it was sent") }, nil)
	ctx := context.Background()
	if _, err := client.Events.Send(ctx, "order.paid", make(chan int), all); !errors.Is(err, posthorn.InvalidOption) {
		t.Errorf("the error is %v", err)
	}
	events := []posthorn.BatchEvent{{EventType: posthorn.Value("order.paid"), Data: make(chan int)}}
	if _, err := client.Events.SendBatch(ctx, events, all); !errors.Is(err, posthorn.InvalidOption) {
		t.Errorf("the error is %v", err)
	}
}

func TestABatchThatIsGivenUpHasItsResultsAndTheContextsError(t *testing.T) {
	ctx, giveUp := context.WithCancel(context.Background())
	client := newClient(t, func(writer http.ResponseWriter, request *http.Request) {
		var batch struct{ Events []json.RawMessage }
		json.NewDecoder(request.Body).Decode(&batch)
		if len(batch.Events) < 100 {
			giveUp()
			<-request.Context().Done()
			return
		}
		json.NewEncoder(writer).Encode(posthorn.BatchAnswer{Results: make([]posthorn.BatchResult, 100)})
	}, nil)
	_, err := client.Events.SendBatch(ctx, make([]posthorn.BatchEvent, 101), all)
	var batch *posthorn.BatchError
	if !errors.As(err, &batch) || !errors.Is(err, context.Canceled) {
		t.Fatalf("the error is %v", err)
	}
	if len(batch.Results) != 100 || len(batch.Unsent) != 1 || batch.Unsent[0].IdempotencyKey == nil {
		t.Errorf("%d results, %d unsent", len(batch.Results), len(batch.Unsent))
	}
}

func TestAStreamPassesOnWhatThisVersionDoesNotKnow(t *testing.T) {
	client := newClient(t, func(writer http.ResponseWriter, _ *http.Request) {
		writer.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(writer, "event: comet\r\ndata: {\"id\":1}\r\n\r\nevent: gap\ndata: {\"dropped\":3}\n\n")
	}, nil)
	var kinds []string
	for change, err := range client.Stats.StreamChanges(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		kinds = append(kinds, change.Kind+string(change.Data))
		if change.Kind == "gap" && (change.Gap.Dropped == nil || *change.Gap.Dropped != 3) {
			t.Errorf("the gap is %+v", change.Gap)
		}
	}
	if want := `[comet{"id":1} gap{"dropped":3}]`; fmt.Sprint(kinds) != want {
		t.Errorf("it passed on %v", kinds)
	}
}

func TestADryRunIsAskedForAndAnsweredAsOne(t *testing.T) {
	var body string
	client := newClient(t, func(writer http.ResponseWriter, request *http.Request) {
		text, _ := io.ReadAll(request.Body)
		body = string(text)
		io.WriteString(writer, `{"id":null,"matched":7}`)
	}, nil)
	dry, err := client.Endpoints.RecoverDryRun(context.Background(), "ep_1", posthorn.RecoverEndpointBody{Mode: "all"})
	if err != nil || dry.Matched != 7 || body != `{"mode":"all","dryRun":true}` {
		t.Errorf("%s was answered by %+v, %v", body, dry, err)
	}
}

func TestAnEndpointsConfigIsSentBackWithWhatThisVersionDoesNotKnow(t *testing.T) {
	var endpoint posthorn.Endpoint
	text := `{"config":{"timeoutSeconds":5,"planet":{"name":"<Mars>"},"rateLimit":{"limit":1,"periodSeconds":2,"moon":3}}}`
	if err := json.Unmarshal([]byte(text), &endpoint); err != nil {
		t.Fatal(err)
	}
	endpoint.Config.TimeoutSeconds = posthorn.Value(10)
	var sent string
	client := newClient(t, func(writer http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(request.Body)
		sent = string(body)
		io.WriteString(writer, "{}")
	}, nil)
	body := posthorn.UpdateEndpointBody{Config: posthorn.Value(endpoint.Config)}
	if _, err := client.Endpoints.Update(context.Background(), "ep_1", body); err != nil {
		t.Fatal(err)
	}
	want := `{"config":{"planet":{"name":"<Mars>"},"rateLimit":{"limit":1,"moon":3,"periodSeconds":2},"timeoutSeconds":10}}`
	if sent != want {
		t.Errorf("it sent %s", sent)
	}
}
