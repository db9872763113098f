// Package posthorn sends events to Posthorn and manages it. Package webhooks verifies what Posthorn delivers.
//
// An API key sends events:
//
//	client, err := posthorn.New(posthorn.Options{BaseURL: "https://posthorn.example.com", APIKey: "phk_…"})
//	answer, err := client.Events.Send(ctx, "order.paid", order, posthorn.WithApplication("ext:customer-42"))
//
// A management token does everything else. Set the optional fields of a request body with [Value]. In an update, [Null]
// clears a field.
//
// Every error of this library is an [*Error], or wraps one. [errors.Is] tells the kinds apart:
//
//	if errors.Is(err, posthorn.NotFound) { … }
package posthorn

// New makes a client. It sends no request. Its error is an *Error of the kind InvalidOption, which names the option.
func New(options Options) (*Client, error) {
	settings, err := readOptions(options)
	if err != nil {
		return nil, err
	}
	return newClient(&transport{settings: settings}), nil
}
