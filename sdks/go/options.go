package posthorn

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

// Options are the options of [New]. Strings that you leave empty are read from the environment variables
// POSTHORN_BASE_URL, POSTHORN_TOKEN, POSTHORN_API_KEY, POSTHORN_PULL_KEY and POSTHORN_WORKSPACE_ID.
type Options struct {
	// BaseURL is the address of the service, such as https://posthorn.example.com.
	BaseURL string
	// Token is a management token (phm_…), or a portal session's token (php_…).
	Token string
	// APIKey (phk_…) sends events.
	APIKey string
	// PullKey (phpl_…) fetches the messages of one endpoint.
	PullKey string
	// WorkspaceID is the workspace to work in. By default it is the workspace of the token.
	WorkspaceID string
	// Timeout limits each try, until its answer is complete. Zero means 15 seconds.
	Timeout time.Duration
	// Retries is how many times a request is tried again, at most 10. Nil means 2; Value(0) means never.
	Retries *Optional[int]
	// HTTPClient replaces the HTTP client, for a proxy or a test. Its CheckRedirect is not used: the library follows no
	// redirects.
	HTTPClient *http.Client
}

// Format prints the options without their credentials, whatever the verb.
func (o Options) Format(state fmt.State, _ rune) {
	fmt.Fprintf(state, "posthorn.Options{BaseURL: %q, …}", o.BaseURL)
}

const (
	defaultTimeout = 15 * time.Second
	defaultRetries = 2
	mostRetries    = 10
	idlePerHost    = 64
)

type settings struct {
	baseURL     string
	token       string
	apiKey      string
	pullKey     string
	workspaceID string
	timeout     time.Duration
	retries     int
	client      *http.Client
}

func readOptions(options Options) (settings, error) {
	read := settings{
		token:       orVariable(options.Token, "POSTHORN_TOKEN"),
		apiKey:      orVariable(options.APIKey, "POSTHORN_API_KEY"),
		pullKey:     orVariable(options.PullKey, "POSTHORN_PULL_KEY"),
		workspaceID: orVariable(options.WorkspaceID, "POSTHORN_WORKSPACE_ID"),
		timeout:     options.Timeout,
		retries:     defaultRetries,
		client:      clientOf(options.HTTPClient),
	}
	if read.token == "" && read.apiKey == "" && read.pullKey == "" {
		return settings{}, optionError("Token", "or APIKey or PullKey is required (or a variable such as POSTHORN_TOKEN)")
	}
	if options.Timeout == 0 {
		read.timeout = defaultTimeout
	}
	if retries, given := options.Retries.Get(); given {
		read.retries = retries
	}
	baseURL, err := readBaseURL(orVariable(options.BaseURL, "POSTHORN_BASE_URL"))
	if err != nil {
		return settings{}, err
	}
	read.baseURL = baseURL
	return read, firstError(
		// Without these checks, net/http would refuse the header only when it sends a request.
		requireVisible("Token", read.token),
		requireVisible("APIKey", read.apiKey),
		requireVisible("PullKey", read.pullKey),
		requireVisible("WorkspaceID", read.workspaceID),
		requireTimeout(read.timeout),
		requireRetries(read.retries),
	)
}

func orVariable(option, name string) string {
	if option != "" {
		return option
	}
	return os.Getenv(name)
}

func readBaseURL(value string) (string, error) {
	if value == "" {
		return "", optionError("BaseURL", "is required (or the variable POSTHORN_BASE_URL)")
	}
	// The error of url.Parse is not passed on: it shows the URL, which may contain a password.
	parsed, err := url.Parse(value)
	if err != nil || parsed.Host == "" || (parsed.Scheme != "http" && parsed.Scheme != "https") {
		return "", optionError("BaseURL", "must be an http or https URL")
	}
	if parsed.User != nil || strings.ContainsAny(value, "?#") {
		return "", optionError("BaseURL", "must have no credentials, no query and no fragment")
	}
	return strings.TrimRight(parsed.String(), "/"), nil
}

// clientOf returns a client that follows no redirects: another server must not get the credential.
func clientOf(given *http.Client) *http.Client {
	client := http.Client{}
	if given != nil {
		client = *given
	} else if standard, ok := http.DefaultTransport.(*http.Transport); ok {
		own := standard.Clone()
		// With the default of 2, a busy producer would open and close a connection for almost every event.
		own.MaxIdleConnsPerHost = idlePerHost
		client.Transport = own
	}
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &client
}

func requireHeader(option, value string) error {
	if value == "" {
		return optionError(option, "must not be empty")
	}
	return requireVisible(option, value)
}

func requireVisible(option, value string) error {
	if isWithin(value, '!') {
		return nil
	}
	return optionError(option, "must be visible ASCII characters")
}

func isWithin(value string, least byte) bool {
	for n := range len(value) {
		if value[n] < least || value[n] > '~' {
			return false
		}
	}
	return true
}

func requireTimeout(timeout time.Duration) error {
	if timeout > 0 {
		return nil
	}
	return optionError("Timeout", "must be above zero")
}

func requireRetries(retries int) error {
	if retries >= 0 && retries <= mostRetries {
		return nil
	}
	return optionError("Retries", fmt.Sprintf("must be a whole number from 0 to %d", mostRetries))
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
