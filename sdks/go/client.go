// Package posthorn sends events to Posthorn and manages it. Package webhooks verifies what Posthorn delivers.
//
// An API key sends events:
//
//	client, err := posthorn.New(posthorn.Options{BaseURL: "https://posthorn.example.com", APIKey: "phk_…"})
//	answer, err := client.Events.Send(ctx, "order.paid", order, posthorn.WithApplication("ext:customer-42"))
//
// A management token does everything else. In the bodies of requests, fields that may be left out are set with [Value];
// [Null] clears a field of an update.
//
// Every error that this library makes is an [*Error]; [errors.Is] tells the kinds apart:
//
//	if errors.Is(err, posthorn.NotFound) { … }
package posthorn

// New makes a client. It sends nothing. The error is an *Error of the kind InvalidOption, which names the option.
func New(options Options) (*Client, error) {
	settings, err := readOptions(options)
	if err != nil {
		return nil, err
	}
	return newClient(&transport{settings: settings}), nil
}
