package posthorn_test

import (
	"os"
	"testing"

	"github.com/posthorn/posthorn-go"
)

// e2e/sdks/go.test.ts starts Posthorn and runs this test with the environment variables of that server.
func TestTheConformanceCallsToARunningPosthorn(t *testing.T) {
	environment := os.Getenv("POSTHORN_CALLS_ENVIRONMENT")
	if environment == "" {
		t.Skip("POSTHORN_CALLS_ENVIRONMENT names no environment of a running Posthorn")
	}
	control := startServer(t)
	client, err := posthorn.New(posthorn.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var next struct {
		Call   *conformanceCall
		Done   bool
		Calls  int
		Faults []string
	}
	post(t, control+"/calls/begin", map[string]string{"environment": environment}, &next)
	for next.Call != nil {
		result := outcome(makeCall(t, client, next.Call))
		next.Call = nil
		post(t, control+"/calls/next", result, &next)
	}
	for _, fault := range next.Faults {
		t.Error(fault)
	}
	if !next.Done || next.Calls < 40 {
		t.Errorf("%d calls were made", next.Calls)
	}
}
