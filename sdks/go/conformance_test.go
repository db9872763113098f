package posthorn_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"os/exec"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/posthorn/posthorn-go"
)

// ../conformance/README.md says how a case is run.

type conformanceCall struct {
	Resource, Method string
	Path             []string
	Body             map[string]json.RawMessage
	Query            map[string]json.RawMessage
	Payload          *payload
	Events           *[]map[string]json.RawMessage
	Options          map[string]json.RawMessage
	Read             json.RawMessage
	Take             int
	Repeat           int
	IgnoreErrors     bool
}

type payload struct {
	JSON   json.RawMessage
	Text   *string
	Base64 *string
}

func TestEveryConformanceCaseOverASocket(t *testing.T) {
	control := startServer(t)
	var cases []struct {
		ID, Name string
		Needs    []string
	}
	get(t, control+"/cases", &cases)
	for _, one := range cases {
		// A text of Go has no surrogates, and a wait of zero is the default.
		if slices.Contains(one.Needs, "surrogates") || slices.Contains(one.Needs, "zero wait") {
			continue
		}
		t.Run(one.ID+" "+one.Name, func(t *testing.T) {
			var begun struct {
				Client      map[string]json.RawMessage
				Environment map[string]string
				Call        *conformanceCall
			}
			post(t, control+"/cases/"+one.ID+"/begin", nil, &begun)
			for name, value := range begun.Environment {
				t.Setenv(name, value)
			}
			var ended struct{ Faults []string }
			post(t, control+"/cases/"+one.ID+"/end", run(t, begun.Client, begun.Call), &ended)
			for _, fault := range ended.Faults {
				t.Error(fault)
			}
		})
	}
	if len(cases) == 0 {
		t.Error("there are no cases")
	}
}

func run(t *testing.T, options map[string]json.RawMessage, call *conformanceCall) map[string]any {
	client, err := posthorn.New(clientOptions(t, options))
	if err != nil {
		return describeError(err)
	}
	if call == nil {
		return map[string]any{"result": nil}
	}
	if call.Repeat == 0 {
		return outcome(makeCall(t, client, call))
	}
	var results []any
	for range call.Repeat {
		result, err := makeCall(t, client, call)
		if err != nil && !call.IgnoreErrors {
			return describeError(err)
		}
		results = append(results, result)
	}
	return outcome(results, nil)
}

func outcome(result any, err error) map[string]any {
	if err != nil {
		return describeError(err)
	}
	return map[string]any{"result": result}
}

func clientOptions(t *testing.T, given map[string]json.RawMessage) posthorn.Options {
	var options posthorn.Options
	for name, value := range given {
		switch name {
		case "timeoutMs":
			options.Timeout = decode[time.Duration](t, value) * time.Millisecond
			if options.Timeout == 0 {
				// In Go, a zero Timeout means the default. The nearest invalid timeout stands for the zero of the case.
				options.Timeout = -time.Nanosecond
			}
		case "retries":
			options.Retries = posthorn.Value(decode[int](t, value))
		default:
			reflect.ValueOf(&options).Elem().FieldByName(goName(name)).SetString(decode[string](t, value))
		}
	}
	return options
}

// makeCall makes a call as a program would write it: client.Endpoints.Get(ctx, "ep_1").
func makeCall(t *testing.T, client *posthorn.Client, call *conformanceCall) (any, error) {
	ctx := context.Background()
	if after, found := call.Options["abortAfterMs"]; found {
		limited, cancel := context.WithTimeout(ctx, decode[time.Duration](t, after)*time.Millisecond)
		defer cancel()
		ctx = limited
	}
	if call.Method == "pull" {
		return pull(t, ctx, client, call)
	}
	name := goName(call.Method)
	if string(call.Body["dryRun"]) == "true" && hasMethod(client, call.Resource, name+"DryRun") {
		name += "DryRun"
		delete(call.Body, "dryRun")
	}
	method := reflect.ValueOf(client).Elem().FieldByName(goName(call.Resource)).MethodByName(name)
	if !method.IsValid() {
		t.Fatalf("there is no %s.%s", call.Resource, name)
	}
	var arguments []reflect.Value
	next := func() reflect.Type { return method.Type().In(len(arguments)) }
	add := func(value any) { arguments = append(arguments, reflect.ValueOf(value)) }
	if next() == reflect.TypeFor[context.Context]() {
		add(ctx)
	}
	for _, one := range call.Path {
		add(one)
	}
	if call.Payload != nil {
		arguments = append(arguments, reflect.ValueOf(call.Payload.value(t)))
		if last := &arguments[len(arguments)-1]; !last.IsValid() {
			*last = reflect.Zero(reflect.TypeFor[any]())
		}
	}
	if call.Events != nil {
		events := []posthorn.BatchEvent{}
		for _, one := range *call.Events {
			event := reflect.New(reflect.TypeFor[posthorn.BatchEvent]())
			fill(t, event.Elem(), "json", one)
			events = append(events, event.Elem().Interface().(posthorn.BatchEvent))
		}
		add(events)
	}
	if hasBody := len(arguments) < method.Type().NumIn()-1; hasBody && call.Payload == nil && call.Events == nil {
		arguments = append(arguments, bodyOf(t, next(), call.Body))
	}
	if call.Query != nil {
		query := reflect.New(queries[next().Elem().Name()+"s"]).Elem()
		fill(t, query, "query", call.Query)
		arguments = append(arguments, query)
	}
	for option, value := range call.Options {
		one, isKnown := callOption(t, option, value)
		if !isKnown {
			// In Go, a program with an unknown option does not compile.
			return nil, &posthorn.Error{Kind: posthorn.InvalidOption, Option: option, Message: "there is no such option"}
		}
		if one != nil {
			add(one)
		}
	}
	return answerOf(t, ctx, method.Call(arguments), call)
}

// queries holds the structs of query parameters that the cases use, by type name.
var queries = named(
	posthorn.GetDeliveryOptions{}, posthorn.GetEndpointOptions{}, posthorn.GetEventOptions{}, posthorn.GetStatsOptions{},
	posthorn.ListApplicationEndpointsOptions{}, posthorn.ListApplicationsOptions{}, posthorn.ListAuditLogsOptions{},
	posthorn.ListDeliveriesOptions{}, posthorn.ListEndpointsOptions{}, posthorn.ListEventTypesOptions{},
	posthorn.ListEventTypeVisibilityOptions{}, posthorn.ListEventsOptions{}, posthorn.StreamChangesOptions{},
	posthorn.UpdateEventTypeOptions{},
)

func named(values ...any) map[string]reflect.Type {
	types := map[string]reflect.Type{}
	for _, value := range values {
		types[reflect.TypeOf(value).Name()] = reflect.TypeOf(value)
	}
	return types
}

func bodyOf(t *testing.T, kind reflect.Type, fields map[string]json.RawMessage) reflect.Value {
	if kind.Kind() != reflect.Pointer {
		body := reflect.New(kind).Elem()
		fill(t, body, "json", fields)
		return body
	}
	if fields == nil {
		return reflect.Zero(kind)
	}
	body := reflect.New(kind.Elem())
	fill(t, body.Elem(), "json", fields)
	return body
}

func hasMethod(client *posthorn.Client, resource, name string) bool {
	return reflect.ValueOf(client).Elem().FieldByName(goName(resource)).MethodByName(name).IsValid()
}

func callOption(t *testing.T, name string, value json.RawMessage) (option any, isKnown bool) {
	switch name {
	case "timeoutMs":
		return posthorn.WithTimeout(decode[time.Duration](t, value) * time.Millisecond), true
	case "retries":
		return posthorn.WithRetries(decode[int](t, value)), true
	case "idempotencyKey":
		return posthorn.WithIdempotencyKey(decode[string](t, value)), true
	case "application":
		return posthorn.WithApplication(decode[string](t, value)), true
	case "orderingKey":
		return posthorn.WithOrderingKey(decode[string](t, value)), true
	case "contentType":
		return posthorn.WithContentType(decode[string](t, value)), true
	case "deliverAt":
		return posthorn.WithDeliverAt(decode[time.Time](t, value)), true
	case "abortAfterMs":
		return nil, true
	}
	return nil, false
}

// fill sets the fields that a case gives. It turns null into Null: encoding/json would leave the field out.
func fill(t *testing.T, into reflect.Value, tag string, fields map[string]json.RawMessage) {
	for name, text := range fields {
		found := false
		for n := range into.NumField() {
			tagged, _, _ := strings.Cut(into.Type().Field(n).Tag.Get(tag), ",")
			if tagged != name {
				continue
			}
			found = true
			target := into.Field(n).Addr()
			if into.Field(n).Kind() == reflect.Pointer {
				into.Field(n).Set(reflect.New(into.Field(n).Type().Elem()))
				target = into.Field(n)
			}
			if err := json.Unmarshal(text, target.Interface()); err != nil {
				t.Fatal(err)
			}
		}
		if !found {
			t.Fatalf("%v has no field %s", into.Type(), name)
		}
	}
}

func answerOf(t *testing.T, ctx context.Context, answers []reflect.Value, call *conformanceCall) (any, error) {
	switch {
	case len(answers) == 2:
		return plain(t, answers[0].Interface()), errorOf(answers[1])
	case answers[0].Type() == reflect.TypeFor[error]():
		return nil, errorOf(answers[0])
	case call.Take > 0:
		return take(t, answers[0].Interface().(iter.Seq2[*posthorn.StreamChangesEvent, error]), call.Take)
	}
	list := answers[0]
	var read struct{ Limit int }
	how := string(call.Read)
	if how == `"page"` {
		got := list.MethodByName("Page").Call([]reflect.Value{reflect.ValueOf(ctx)})
		if err := errorOf(got[1]); err != nil {
			return nil, err
		}
		page := got[0].Elem()
		var cursor any
		if next := page.FieldByName("NextCursor").String(); next != "" {
			cursor = next
		}
		return map[string]any{"items": plain(t, page.FieldByName("Items").Interface()), "nextCursor": cursor}, nil
	}
	read.Limit = 1_000
	if how != `"all"` {
		read.Limit = decode[struct{ Limit int }](t, call.Read).Limit
	}
	got := list.MethodByName("Collect").Call([]reflect.Value{reflect.ValueOf(ctx), reflect.ValueOf(read.Limit)})
	return plain(t, got[0].Interface()), errorOf(got[1])
}

func take(t *testing.T, changes iter.Seq2[*posthorn.StreamChangesEvent, error], count int) (any, error) {
	var taken []any
	for change, err := range changes {
		if err != nil {
			return nil, err
		}
		if taken = append(taken, map[string]any{"event": change.Kind, "data": change.Data}); len(taken) == count {
			break
		}
	}
	return taken, nil
}

func pull(t *testing.T, ctx context.Context, client *posthorn.Client, call *conformanceCall) (any, error) {
	var options posthorn.PullOptions
	for name, value := range call.Options {
		switch name {
		case "pullKey":
			options.PullKey = decode[string](t, value)
		case "max":
			options.Max = decode[int](t, value)
		case "timeoutMs":
			options.Timeout = decode[time.Duration](t, value) * time.Millisecond
		default:
			t.Fatalf("unknown option %s of a pull", name)
		}
	}
	var taken []any
	for message, err := range client.Pull(ctx, call.Path[0], options) {
		if err != nil {
			return nil, err
		}
		if taken = append(taken, message.LeasedMessage); len(taken) == call.Take {
			break
		}
	}
	return plain(t, taken), nil
}

func errorOf(value reflect.Value) error {
	err, _ := value.Interface().(error)
	return err
}

var wholeSeconds = regexp.MustCompile(`"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,3}))?Z"`)

// plain returns the answer as JSON. It adds the trailing zeros of milliseconds, which Go leaves out.
func plain(t *testing.T, answer any) json.RawMessage {
	text, err := json.Marshal(answer)
	if err != nil {
		t.Fatal(err)
	}
	return wholeSeconds.ReplaceAllFunc(text, func(found []byte) []byte {
		parts := wholeSeconds.FindSubmatch(found)
		return fmt.Appendf(nil, `"%s.%sZ"`, parts[1], (string(parts[2]) + "000")[:3])
	})
}

var types = map[posthorn.Kind]string{
	posthorn.InvalidOption:    "OptionError",
	posthorn.ConnectionFailed: "ConnectionError",
	posthorn.TimedOut:         "TimeoutError",
	posthorn.SecretNotShown:   "SecretNotShownError",
	posthorn.Validation:       "ValidationError",
	posthorn.Unauthorized:     "UnauthorizedError",
	posthorn.Forbidden:        "ForbiddenError",
	posthorn.NotFound:         "NotFoundError",
	posthorn.Conflict:         "ConflictError",
	posthorn.RateLimited:      "RateLimitedError",
	posthorn.Unavailable:      "UnavailableError",
	posthorn.Refused:          "ApiError",
}

func describeError(err error) map[string]any {
	described := map[string]any{"message": err.Error(), "text": fmt.Sprintf("%v %+v %#v", err, err, err)}
	var batch *posthorn.BatchError
	var own *posthorn.Error
	switch {
	case errors.As(err, &batch):
		described["type"] = "BatchError"
		described["results"], described["unsent"] = len(batch.Results), len(batch.Unsent)
	case errors.As(err, &own):
		described["type"] = types[own.Kind]
		described["message"] = own.Message
		if own.Option != "" {
			described["option"] = own.Option
			if name, isKnown := optionNames[own.Option]; isKnown {
				described["option"] = name
			}
		}
		if own.Status != 0 {
			described["status"], described["code"] = own.Status, own.Code
		}
		if own.RequestID != "" {
			described["requestId"] = own.RequestID
		}
		if own.RetryAfter != 0 {
			described["retryAfter"] = own.RetryAfter.Seconds()
		}
		if own.Details != nil {
			described["details"] = json.RawMessage(own.Details)
		}
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		described["type"] = "Aborted"
	}
	return map[string]any{"error": described}
}

// optionNames maps the name of an option in Go to its name in TypeScript.
var optionNames = map[string]string{
	"BaseURL": "baseUrl", "Token": "token", "APIKey": "apiKey", "PullKey": "pullKey", "WorkspaceID": "workspaceId", "Timeout": "timeoutMs",
	"Retries": "retries", "IdempotencyKey": "idempotencyKey", "Application": "application", "OrderingKey": "orderingKey",
	"ContentType": "contentType", "payload": "payload",
}

func (p *payload) value(t *testing.T) any {
	switch {
	case p.Text != nil:
		return *p.Text
	case p.Base64 != nil:
		return decodeBase64(t, *p.Base64)
	default:
		return decode[any](t, p.JSON)
	}
}

func decodeBase64(t *testing.T, text string) []byte {
	decoded, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return decoded
}

// goName turns apiKeys into APIKeys.
func goName(name string) string {
	runes := []rune(name)
	runes[0] = unicode.ToUpper(runes[0])
	for short, long := range map[string]string{"Api": "API", "Url": "URL", "Id": "ID"} {
		if text := string(runes); strings.HasPrefix(text, short) || strings.HasSuffix(text, short) {
			runes = []rune(strings.Replace(text, short, long, 1))
		}
	}
	return string(runes)
}

func startServer(t *testing.T) string {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not there, which the server of the cases needs")
	}
	server := exec.Command(node, "../conformance/server.mjs")
	output, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	input, err := server.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		input.Close()
		server.Wait()
	})
	lines := bufio.NewScanner(output)
	if !lines.Scan() {
		t.Fatal("the conformance server did not start")
	}
	return decode[struct{ URL string }](t, lines.Bytes()).URL
}

func decode[T any](t *testing.T, text []byte) T {
	var value T
	if err := json.Unmarshal(text, &value); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return value
}

func get(t *testing.T, url string, into any) {
	response, err := http.Get(url)
	read(t, response, err, into)
}

func post(t *testing.T, url string, body any, into any) {
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.Post(url, "application/json", bytes.NewReader(text))
	read(t, response, err, into)
}

func read(t *testing.T, response *http.Response, err error, into any) {
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if err := json.NewDecoder(response.Body).Decode(into); err != nil {
		t.Fatal(err)
	}
}
