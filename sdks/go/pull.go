package posthorn

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"iter"
	"net/http"
	"sync"
	"time"
)

// PullOptions are the options of [Client.Pull].
type PullOptions struct {
	// PullKey (phpl_…) is a pull key of the endpoint. By default it is the client's PullKey.
	PullKey string
	// Max is how many messages are leased at a time; zero means 1. All of their leases begin at once.
	Max int
	// Wait is how long a request waits for a message, in whole seconds up to 30; zero means 20 seconds. Then the loop
	// sends the next request. The first request does not wait, so that a loop with a wrong key or option fails at once.
	Wait time.Duration
	// Lease is how long a message is yours, in whole seconds from 5 to 900; zero means 30 seconds. If you do not answer
	// within this time, the message goes to the next consumer.
	Lease time.Duration
	// Timeout limits each try of a request, in addition to Wait. By default it is the client's Timeout.
	Timeout time.Duration
}

const (
	defaultWait  = 20 * time.Second
	longestWait  = 30 * time.Second
	defaultLease = 30 * time.Second
)

// Acknowledgement is the response of the program that processed a message. Posthorn stores it like the response to a
// webhook.
type Acknowledgement struct {
	// ResponseStatus is from 200 to 299; zero means 200.
	ResponseStatus int
	// ResponseBody has at most 16 KiB.
	ResponseBody string
}

// GiveBack says why you give a message back, and when it is due again.
type GiveBack struct {
	// Delay is the time until the message is due again, in whole seconds. Nil leaves it to the retry schedule; Value(0)
	// means at once.
	Delay *Optional[time.Duration]
	// Reason is a text for people, of at most 200 characters.
	Reason string
	// ResponseStatus and ResponseBody are the response of the program that processed the message.
	ResponseStatus int
	ResponseBody   string
}

// PulledMessage is a message that a consumer holds until its lease ends.
type PulledMessage struct {
	LeasedMessage
	// Body has the signed bytes. Verify them with Headers, like the body of a webhook.
	Body []byte

	consumer *consumer
	answer   sync.Mutex
	settled  *bool
}

// JSON parses the body. It skips a byte order mark, which is not part of JSON.
func (m *PulledMessage) JSON(into any) error {
	return json.Unmarshal(bytes.TrimPrefix(m.Body, []byte("\ufeff")), into)
}

// Ack acknowledges the message now. It returns false if the lease was lost to another consumer. After the first
// successful Ack or Nack of a message, further ones change nothing.
func (m *PulledMessage) Ack(ctx context.Context, answer Acknowledgement) (bool, error) {
	return m.end(ctx, "ack", AckBody{Messages: []AckedMessage{{
		DeliveryID:     m.DeliveryID,
		LeaseToken:     m.LeaseToken,
		ResponseStatus: unlessZero(answer.ResponseStatus),
		ResponseBody:   unlessZero(answer.ResponseBody),
	}}})
}

// Nack gives the message back now. It returns false if the lease was lost to another consumer. After the first
// successful Ack or Nack of a message, further ones change nothing.
func (m *PulledMessage) Nack(ctx context.Context, answer GiveBack) (bool, error) {
	message := NackedMessage{
		DeliveryID:     m.DeliveryID,
		LeaseToken:     m.LeaseToken,
		ResponseStatus: unlessZero(answer.ResponseStatus),
		ResponseBody:   unlessZero(answer.ResponseBody),
		Reason:         unlessZero(answer.Reason),
	}
	if delay, given := answer.Delay.Get(); given {
		message.DelaySeconds = Value(int(delay / time.Second))
	}
	return m.end(ctx, "nack", NackBody{Messages: []NackedMessage{message}})
}

// Extend renews the lease, which then ends after the given time from now, in whole seconds from 5 to 900. It returns
// false if the lease was lost to another consumer.
func (m *PulledMessage) Extend(ctx context.Context, lease time.Duration) (bool, error) {
	body := ExtendBody{Messages: []ExtendedMessage{{
		DeliveryID: m.DeliveryID, LeaseToken: m.LeaseToken, LeaseSeconds: int(lease / time.Second),
	}}}
	results, err := ask[ExtendResults](ctx, m.consumer, "extend", body, 0)
	if err == nil && len(results.Results) == 0 {
		err = noList("results")
	}
	if err != nil {
		return false, err
	}
	return results.Results[0].Result == "settled", nil
}

func (m *PulledMessage) end(ctx context.Context, name string, body any) (bool, error) {
	m.answer.Lock()
	defer m.answer.Unlock()
	if m.settled == nil {
		results, err := ask[LeaseResults](ctx, m.consumer, name, body, 0)
		if err == nil && len(results.Results) == 0 {
			err = noList("results")
		}
		if err != nil {
			return false, err
		}
		settled := results.Results[0].Result == "settled"
		m.settled = &settled
	}
	return *m.settled, nil
}

// noList is the error of an answer without a list. It comes from another server, and must not look like an empty list.
func noList(name string) error {
	message := "The answer has no list of " + name + ": check BaseURL"
	return &Error{Kind: Refused, Status: http.StatusOK, Code: CodeUnexpectedAnswer, Message: message}
}

func unlessZero[T comparable](value T) *Optional[T] {
	var zero T
	if value == zero {
		return nil
	}
	return Value(value)
}

// consumer sends the pull requests of one endpoint, with its pull key.
type consumer struct {
	transport  *transport
	endpointID string
	pullKey    string
	timeout    time.Duration
}

func ask[Answer any](ctx context.Context, c *consumer, name string, body any, wait time.Duration) (*Answer, error) {
	timeout := c.timeout
	if timeout == 0 {
		timeout = c.transport.settings.timeout
	}
	timeout += wait
	call := call{
		method: "POST", path: "/api/pull/{endpointID}/" + name, arguments: []string{c.endpointID},
		withPullKey: true, pullKey: c.pullKey, body: body,
	}
	return request[Answer](ctx, c.transport, call, callSettings{timeout: &timeout})
}

// Pull fetches the messages of an endpoint, one after the other, until you leave the loop or the context ends. When the
// loop body ends, the message is acknowledged. When you leave the loop from its body, the message is given back. A
// message that you have answered yourself stays as it is. The loop ends after the first error.
//
//	for message, err := range client.Pull(ctx, endpointID, posthorn.PullOptions{}) {
//		if err != nil {
//			return err
//		}
//		if err := work(ctx, message); err != nil {
//			return err // The message is given back.
//		}
//	}
func (c *Client) Pull(ctx context.Context, endpointID string, options PullOptions) iter.Seq2[*PulledMessage, error] {
	return func(yield func(*PulledMessage, error) bool) {
		consumer := &consumer{c.PullKeys.transport, endpointID, options.PullKey, options.Timeout}
		if err := consumer.pull(ctx, options, func(m *PulledMessage) bool { return yield(m, nil) }); err != nil {
			yield(nil, err)
		}
	}
}

func (c *consumer) pull(ctx context.Context, options PullOptions, each func(*PulledMessage) bool) error {
	most, wait, lease := options.Max, options.Wait, options.Lease
	if most == 0 {
		most = 1
	}
	if wait == 0 {
		wait = defaultWait
	}
	if lease == 0 {
		lease = defaultLease
	}
	if wait < 0 || wait > longestWait || wait%time.Second != 0 {
		return optionError("Wait", "must be whole seconds, at most 30")
	}
	if lease%time.Second != 0 {
		return optionError("Lease", "must be whole seconds")
	}
	for now := time.Duration(0); ; now = wait {
		body := LeaseBody{
			Max: Value(most), WaitSeconds: Value(int(now / time.Second)), LeaseSeconds: Value(int(lease / time.Second)),
		}
		leased, err := ask[LeaseAnswer](ctx, c, "lease", body, now)
		if err == nil && leased.Messages == nil {
			err = noList("messages")
		}
		if err != nil {
			return err
		}
		messages, err := c.read(leased.Messages)
		if err != nil {
			return err
		}
		if goOn, err := handOut(ctx, messages, each); err != nil || !goOn {
			return err
		}
	}
}

func (c *consumer) read(leased []LeasedMessage) ([]*PulledMessage, error) {
	messages := make([]*PulledMessage, len(leased))
	for n, one := range leased {
		body, err := base64.StdEncoding.DecodeString(one.Body)
		if err != nil {
			return nil, &Error{Kind: Refused, Code: CodeUnexpectedAnswer, Message: "The body of a message is not base64", Err: err}
		}
		messages[n] = &PulledMessage{LeasedMessage: one, Body: body, consumer: c}
	}
	return messages, nil
}

// handOut passes the messages to each, and returns false when the loop was left. It gives unfinished messages back to
// the next consumer, even after a panic. It sends the answers even if the context has ended.
func handOut(given context.Context, left []*PulledMessage, each func(*PulledMessage) bool) (bool, error) {
	ctx := context.WithoutCancel(given)
	defer func() {
		for _, message := range left {
			// After an error, stop: the leases end by themselves. The caller must not wait once more for each
			// message, and meets no other error than its own.
			if _, err := message.Nack(ctx, GiveBack{Delay: Value(time.Duration(0))}); err != nil {
				return
			}
		}
	}()
	for len(left) > 0 {
		if err := given.Err(); err != nil {
			return false, err
		}
		if !each(left[0]) {
			return false, nil
		}
		if _, err := left[0].Ack(ctx, Acknowledgement{}); err != nil {
			return false, err
		}
		left = left[1:]
	}
	return true, nil
}
