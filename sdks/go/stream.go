package posthorn

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"net/http"
	"strings"
	"time"
)

const (
	// The server sends a comment every 15 s.
	longestSilence = 45 * time.Second
	mostEventBytes = 4 << 20
)

// stream reads server-sent events until the caller or the server ends it. It does not reconnect: the server does not
// resend missed events.
func stream[Change any](ctx context.Context, t *transport, call call, options callSettings, read func(string, json.RawMessage) (*Change, error)) iter.Seq2[*Change, error] {
	return func(yield func(*Change, error) bool) {
		err := t.readStream(ctx, call, options, func(kind string, data json.RawMessage) (bool, error) {
			change, err := read(kind, data)
			if err != nil {
				return false, err
			}
			return yield(change, nil), nil
		})
		if err != nil {
			yield(nil, err)
		}
	}
}

func (t *transport) readStream(ctx context.Context, call call, options callSettings, each func(string, json.RawMessage) (bool, error)) error {
	timeout, _, err := t.limits(call, options)
	if err != nil {
		return err
	}
	made, err := t.prepare(ctx, call, options)
	if err != nil {
		return err
	}
	made.header.Set("Accept", "text/event-stream")
	limited, cancel := context.WithCancel(ctx)
	defer cancel()
	timer := time.AfterFunc(timeout, cancel)
	defer timer.Stop()
	explain := func(err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return noAnswer(limited, err, timeout)
	}
	response, err := t.settings.client.Do(made.request(limited))
	if err != nil {
		return explain(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		body, err := io.ReadAll(io.LimitReader(response.Body, mostAnswerBytes))
		if err != nil {
			return explain(err)
		}
		return refusal(response, body).err
	}
	// The page of a proxy must not look like a stream without changes.
	if !strings.HasPrefix(strings.ToLower(response.Header.Get("Content-Type")), "text/event-stream") {
		return refusal(response, nil).err
	}
	timeout = longestSilence
	timer.Reset(timeout)
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, mostEventBytes)
	var event serverEvent
	for lines.Scan() {
		timer.Reset(timeout)
		if !event.add(lines.Text()) {
			continue
		}
		// The time that the caller takes for an event is not silence of the server.
		timer.Stop()
		goOn, err := each(event.kind(), json.RawMessage(event.data()))
		timer.Reset(timeout)
		if err != nil {
			return refusal(response, nil).err
		}
		if !goOn {
			return nil
		}
		event = serverEvent{}
	}
	if err := lines.Err(); err != nil {
		if errors.Is(err, bufio.ErrTooLong) {
			return refusal(response, nil).err
		}
		return explain(err)
	}
	return nil
}

// serverEvent collects the lines of one server-sent event.
type serverEvent struct {
	name  string
	lines []string
}

// add adds a line. It returns true if the line ends an event that has data.
func (e *serverEvent) add(line string) bool {
	name, value, _ := strings.Cut(line, ":")
	switch {
	case line == "":
		if len(e.lines) > 0 {
			return true
		}
		*e = serverEvent{}
	case name == "event":
		e.name = strings.TrimSpace(value)
	case name == "data":
		e.lines = append(e.lines, strings.TrimPrefix(value, " "))
	}
	return false
}

func (e *serverEvent) kind() string {
	if e.name == "" {
		return "message"
	}
	return e.name
}

func (e *serverEvent) data() string { return strings.Join(e.lines, "\n") }
