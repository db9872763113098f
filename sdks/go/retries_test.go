package posthorn

import (
	"testing"
	"time"
)

func after(duration time.Duration) *time.Duration { return &duration }

func TestPausesAreRandomDoubledAndBounded(t *testing.T) {
	for name, one := range map[string]struct {
		failed failure
		tries  int
		random float64
		want   time.Duration
		again  bool
	}{
		"at least nothing":        {failure{status: 503}, 1, 0, 0, true},
		"at most 0.2 s first":     {failure{status: 503}, 1, 1, 200 * time.Millisecond, true},
		"doubled":                 {failure{status: 503}, 3, 1, 800 * time.Millisecond, true},
		"at most 5 s":             {failure{status: 503}, 10, 1, 5 * time.Second, true},
		"after no answer":         {failure{}, 1, 1, 200 * time.Millisecond, true},
		"as the server says":      {failure{status: 429, retryAfter: after(time.Minute)}, 1, 1, time.Minute, true},
		"not beyond a minute":     {failure{status: 429, retryAfter: after(61 * time.Second)}, 1, 1, 61 * time.Second, false},
		"not after a refusal":     {failure{status: 409, retryAfter: after(0)}, 1, 1, 0, false},
		"not after the last time": {failure{status: 503}, 11, 1, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			wait, again := pauseBeforeRetry(&one.failed, one.tries, 10, one.random)
			if again != one.again || (again && wait != one.want) {
				t.Errorf("%v, %v", wait, again)
			}
		})
	}
}

func TestRetryAfterIsANumberOrADate(t *testing.T) {
	now := time.Date(2026, 11, 21, 9, 30, 0, 500, time.UTC)
	for text, want := range map[string]*time.Duration{
		"":                              nil,
		"soon":                          nil,
		"-1":                            nil,
		"1.5":                           nil,
		" 7 ":                           after(7 * time.Second),
		"99999999999":                   nil,
		"Sat, 21 Nov 2026 09:30:02 GMT": after(2 * time.Second),
		"Sat, 21 Nov 2026 09:29:00 GMT": after(0),
	} {
		got := readRetryAfter(text, now)
		if (got == nil) != (want == nil) || (got != nil && *got != *want) {
			t.Errorf("%q is %v", text, got)
		}
	}
}
