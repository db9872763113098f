package posthorn

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"time"
)

// call is one operation with its arguments.
type call struct {
	method string
	// path has a placeholder {name} for each argument.
	path      string
	arguments []string
	// inWorkspace puts the path of the workspace before path.
	inWorkspace bool
	withAPIKey  bool
	// withPullKey authenticates with pullKey or, if it is empty, with the client's pull key.
	withPullKey bool
	pullKey     string
	// change changes the query parameters. It may be nil.
	change func(url.Values)
	// body is sent as JSON. content is sent as it is.
	body        any
	content     []byte
	contentType string
	// keyed sends an idempotency key.
	keyed bool
	// shownOnce names the field with a secret that only the first answer shows.
	shownOnce string
	// once turns retries off.
	once bool
}

// mostAnswerBytes limits how much of an answer is read.
const mostAnswerBytes = 64 << 20

// transport sends the requests of every resource: it adds credentials, retries, and turns refusals into errors.
type transport struct {
	settings  settings
	workspace workspace
}

// request returns the parsed answer of the server.
func request[Answer any](ctx context.Context, t *transport, call call, options callSettings) (*Answer, error) {
	answer := new(Answer)
	err := t.send(ctx, call, options, func(header http.Header, body []byte) error {
		if err := checkShown(call.shownOnce, header, body); err != nil {
			return err
		}
		return json.Unmarshal(body, answer)
	})
	if err != nil {
		return nil, err
	}
	return answer, nil
}

func (t *transport) discard(ctx context.Context, call call, options callSettings) error {
	return t.send(ctx, call, options, func(http.Header, []byte) error { return nil })
}

// orEmpty returns the body, or an empty one if it is nil: the server requires a JSON object.
func orEmpty[Body any](body *Body) *Body {
	if body == nil {
		return new(Body)
	}
	return body
}

func checkShown(field string, header http.Header, body []byte) error {
	if field == "" || header.Get("Idempotent-Replayed") != "true" {
		return nil
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(body, &fields); err != nil {
		return err
	}
	if value, found := fields[field]; !found || string(value) != "null" {
		return nil
	}
	message := fmt.Sprintf("The %s was shown in the first answer only: rotate it to get another", field)
	return &Error{Kind: SecretNotShown, Message: message}
}

// reader reads an answer. Any error of it other than an *Error means that the answer does not come from Posthorn.
type reader func(header http.Header, body []byte) error

// send sends a request, and sends it again as retries.go decides.
func (t *transport) send(ctx context.Context, call call, options callSettings, read reader) error {
	timeout, retries, err := t.limits(call, options)
	if err != nil {
		return err
	}
	made, err := t.prepare(ctx, call, options)
	if err != nil {
		return err
	}
	mayBeDone := false
	for tries := 1; ; tries++ {
		failed := t.try(ctx, made, timeout, read)
		if failed == nil {
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		// An earlier try, whose answer was lost, may have deleted it. A 404 with another code is that of a proxy, which
		// knows nothing of it.
		if call.method == http.MethodDelete && mayBeDone && isNotFound(failed.err) {
			return nil
		}
		mayBeDone = mayBeDone || failed.mayBeDone()
		wait, again := pauseBeforeRetry(failed, tries, retries, random())
		if !again {
			return failed.err
		}
		if err := pause(ctx, wait); err != nil {
			return err
		}
	}
}

func isNotFound(err error) bool {
	var own *Error
	return errors.As(err, &own) && own.Status == http.StatusNotFound && own.Code == ErrorCodeNotFound
}

func (t *transport) limits(call call, options callSettings) (time.Duration, int, error) {
	timeout, retries := t.settings.timeout, t.settings.retries
	if options.timeout != nil {
		timeout = *options.timeout
	}
	if options.retries != nil {
		retries = *options.retries
	}
	if err := firstError(requireTimeout(timeout), requireRetries(retries)); err != nil {
		return 0, 0, err
	}
	if call.once {
		retries = 0
	}
	return timeout, retries, nil
}

// try sends the request once. It returns nil when the answer was read.
func (t *transport) try(ctx context.Context, made *prepared, timeout time.Duration, read reader) *failure {
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	response, err := t.settings.client.Do(made.request(limited))
	if err != nil {
		return &failure{err: noAnswer(limited, err, timeout)}
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, mostAnswerBytes))
	if err != nil {
		return &failure{err: noAnswer(limited, err, timeout)}
	}
	if response.StatusCode < 200 || response.StatusCode > 299 {
		return refusal(response, body)
	}
	// Only a deletion is answered without a body. An empty answer from a proxy must not look like an accepted event.
	if len(body) == 0 && made.method == http.MethodDelete {
		return nil
	}
	err = read(response.Header, body)
	var own *Error
	if err == nil {
		return nil
	} else if errors.As(err, &own) {
		return &failure{err: own, status: response.StatusCode}
	}
	return refusal(response, nil)
}

// noAnswer is the error of a try without a complete answer. The errors of net/http show no request header.
func noAnswer(limited context.Context, err error, timeout time.Duration) *Error {
	var timed net.Error
	if limited.Err() != nil || (errors.As(err, &timed) && timed.Timeout()) {
		return &Error{Kind: TimedOut, Message: fmt.Sprintf("No complete answer within %v", timeout)}
	}
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	return &Error{Kind: ConnectionFailed, Message: "No complete answer: " + err.Error(), Err: err}
}

func refusal(response *http.Response, body []byte) *failure {
	var answered struct {
		Error struct {
			Code    *ErrorCode      `json:"code"`
			Message *string         `json:"message"`
			Details json.RawMessage `json:"details"`
		} `json:"error"`
	}
	failed := &Error{
		Kind:      kindOf(response.StatusCode),
		Status:    response.StatusCode,
		Code:      CodeUnexpectedAnswer,
		RequestID: response.Header.Get("X-Request-Id"),
		Message:   unexpected(response),
	}
	if json.Unmarshal(body, &answered) == nil && answered.Error.Code != nil {
		failed.Code, failed.Details = *answered.Error.Code, answered.Error.Details
		failed.Message = string(failed.Code)
		if answered.Error.Message != nil {
			failed.Message = *answered.Error.Message
		}
	}
	after := readRetryAfter(response.Header.Get("Retry-After"), time.Now())
	if after != nil {
		failed.RetryAfter = *after
	}
	return &failure{err: failed, status: response.StatusCode, retryAfter: after}
}

func unexpected(response *http.Response) string {
	if response.StatusCode >= 300 && response.StatusCode < 400 {
		return "The server answered with a redirect, which is not followed: check BaseURL"
	}
	kind := response.Header.Get("Content-Type")
	if kind == "" {
		kind = "no content type"
	}
	return fmt.Sprintf("The answer %d (%s) does not come from Posthorn: check BaseURL and the proxies before it", response.StatusCode, kind)
}

// prepared is a request that can be sent more than once.
type prepared struct {
	method  string
	url     *url.URL
	header  http.Header
	content []byte
}

func (p *prepared) request(ctx context.Context) *http.Request {
	request := &http.Request{Method: p.method, URL: p.url, Host: p.url.Host, Header: p.header.Clone()}
	if p.content != nil {
		request.ContentLength = int64(len(p.content))
		request.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(p.content)), nil }
		request.Body, _ = request.GetBody()
	}
	return request.WithContext(ctx)
}

func (t *transport) prepare(ctx context.Context, call call, options callSettings) (*prepared, error) {
	path, err := fillPath(call.path, call.arguments)
	if err != nil {
		return nil, err
	}
	made := &prepared{method: call.method, header: http.Header{}, content: call.content}
	if err := t.setHeaders(made.header, call, options); err != nil {
		return nil, err
	}
	if call.body != nil {
		if made.content, err = marshal(call.body); err != nil {
			failed := optionError("body", "cannot be written as JSON")
			failed.Err = err
			return nil, failed
		}
		made.header.Set("Content-Type", "application/json")
	}
	if call.inWorkspace {
		prefix, err := t.workspacePath(ctx)
		if err != nil {
			return nil, err
		}
		path = prefix + path
	}
	query := readQuery(options.query)
	if call.change != nil {
		call.change(query)
	}
	made.url, err = url.Parse(t.settings.baseURL + path)
	if err != nil {
		return nil, optionError("BaseURL", "must be an http or https URL")
	}
	made.url.RawQuery = query.Encode()
	return made, nil
}

func (t *transport) setHeaders(to http.Header, call call, options callSettings) error {
	name, credential := "Token", t.settings.token
	switch {
	case call.withAPIKey:
		name, credential = "APIKey", t.settings.apiKey
	case call.withPullKey && call.pullKey != "":
		name, credential = "PullKey", call.pullKey
	case call.withPullKey:
		name, credential = "PullKey", t.settings.pullKey
	}
	if credential == "" {
		return optionError(name, "is required for this call")
	}
	if err := requireVisible(name, credential); err != nil {
		return err
	}
	to.Set("Authorization", "Bearer "+credential)
	to.Set("Accept", "application/json")
	to.Set("User-Agent", "posthorn-sdk/go/"+Version)
	headers := options.headers
	if call.keyed && options.key != nil {
		headers = append(headers, newHeader("IdempotencyKey", "Idempotency-Key", *options.key))
	} else if call.keyed {
		to.Set("Idempotency-Key", newKey())
	}
	for _, one := range headers {
		if err := requireHeader(one.option, one.value); err != nil {
			return err
		}
		to.Set(one.name, one.value)
	}
	if call.content == nil {
		return nil
	}
	if call.contentType == "" || !isWithin(call.contentType, ' ') {
		return optionError("ContentType", "must be printable ASCII characters")
	}
	to.Set("Content-Type", call.contentType)
	return nil
}

// fillPath puts the encoded arguments into the path. It refuses an argument such as "..", which would change the path.
func fillPath(path string, arguments []string) (string, error) {
	var filled strings.Builder
	for _, argument := range arguments {
		before, rest, _ := strings.Cut(path, "{")
		name, after, _ := strings.Cut(rest, "}")
		if argument == "" || argument == "." || argument == ".." {
			return "", optionError(name, "must be a text that is not empty")
		}
		filled.WriteString(before + url.PathEscape(argument))
		path = after
	}
	return filled.String() + path, nil
}

// readQuery turns every field that is not zero into the query parameter that its tag names.
func readQuery(options any) url.Values {
	query := url.Values{}
	if options == nil {
		return query
	}
	fields := reflect.ValueOf(options)
	for n := range fields.NumField() {
		if field := fields.Field(n); !field.IsZero() {
			query.Set(fields.Type().Field(n).Tag.Get("query"), queryText(field))
		}
	}
	return query
}

func queryText(field reflect.Value) string {
	switch value := field.Interface().(type) {
	case time.Time:
		return formatTime(value)
	case *Optional[bool]:
		truth, _ := value.Get()
		return fmt.Sprint(truth)
	}
	if field.Kind() != reflect.Slice {
		return fmt.Sprint(field.Interface())
	}
	texts := make([]string, field.Len())
	for n := range texts {
		texts[n] = fmt.Sprint(field.Index(n).Interface())
	}
	return strings.Join(texts, ",")
}
