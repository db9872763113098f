package posthorn

import (
	"context"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	longestRetryAfter = time.Minute
	firstPause        = 200 * time.Millisecond
	longestPause      = 5 * time.Second
)

// failure describes how one try failed. The status is 0 if there was no complete answer.
type failure struct {
	err        error
	status     int
	retryAfter *time.Duration
}

// mayBeDone reports whether the server may have carried out the request.
func (f *failure) mayBeDone() bool { return f.status == 0 || f.status >= 500 }

// pauseBeforeRetry returns how long to wait before the next try, or false if there is none. tries counts the tries so far,
// and random is between 0 and 1.
func pauseBeforeRetry(failed *failure, tries, retries int, random float64) (time.Duration, bool) {
	if tries > retries || !isRetried(failed.status) {
		return 0, false
	}
	if failed.retryAfter != nil {
		return *failed.retryAfter, *failed.retryAfter <= longestRetryAfter
	}
	return time.Duration(random * float64(min(longestPause, firstPause<<(tries-1)))), true
}

func isRetried(status int) bool {
	switch status {
	case 0, http.StatusRequestTimeout, http.StatusTooManyRequests, http.StatusInternalServerError,
		http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	default:
		return false
	}
}

// readRetryAfter reads a Retry-After header, which is a number of seconds or a date. It returns nil for anything else.
func readRetryAfter(value string, now time.Time) *time.Duration {
	value = strings.TrimSpace(value)
	seconds, err := strconv.ParseUint(value, 10, 30)
	if err != nil {
		at, err := http.ParseTime(value)
		if err != nil {
			return nil
		}
		seconds = uint64(max(0, (at.Sub(now)+time.Second-1)/time.Second))
	}
	after := time.Duration(seconds) * time.Second
	return &after
}

// pause waits, unless the context ends first.
func pause(ctx context.Context, duration time.Duration) error {
	timer := time.NewTimer(duration)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func random() float64 { return rand.Float64() }
