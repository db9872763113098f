package posthorn_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const around = `package main

import (
	"context"
	"fmt"
	"log"

	"github.com/posthorn/posthorn-go"
)

func main() {
	ctx := context.Background()
	%s
}
`

// This test builds, vets and runs the first program of README.md in an empty module, as a user would.
func TestTheFirstProgramOfTheReadmeRunsInAnEmptyProject(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, block, _ := strings.Cut(string(readme), "```go\n")
	block, _, _ = strings.Cut(block, "```")
	if lines := strings.Count(block, "\n"); lines > 10 {
		t.Errorf("it has %d lines", lines)
	}
	library, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	write(t, folder, "main.go", strings.Replace(around, "%s", block, 1))
	write(t, folder, "go.mod", "module example.com/shop\n\ngo 1.23\n\nrequire github.com/posthorn/posthorn-go v0.0.0\n\n"+
		"replace github.com/posthorn/posthorn-go => "+library+"\n")

	var sent string
	server := httptest.NewServer(http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
		switch request.URL.Path {
		case "/api/ingest/event/order.paid":
			body, _ := io.ReadAll(request.Body)
			sent = string(body)
			writer.WriteHeader(http.StatusAccepted)
			io.WriteString(writer, `{"id":"msg_1"}`)
		case "/management/v1/me":
			io.WriteString(writer, `{"workspace":{"id":"ws_1"}}`)
		case "/management/v1/workspaces/ws_1/events":
			io.WriteString(writer, `{"events":[{"id":"msg_1","status":"matched"}],"nextCursor":null}`)
		default:
			http.NotFound(writer, request)
		}
	}))
	defer server.Close()
	tool(t, folder, server.URL, "vet", "./...")
	if printed := tool(t, folder, server.URL, "run", "."); printed != "msg_1 matched <nil>\n" {
		t.Errorf("it printed %q", printed)
	}
	if want := `{"id":"order_1001","total":1900}`; sent != want {
		t.Errorf("it sent %s", sent)
	}
}

func write(t *testing.T, folder, name, text string) {
	if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func tool(t *testing.T, folder, url string, arguments ...string) string {
	command := exec.Command("go", arguments...)
	command.Dir = folder
	command.Env = append(os.Environ(),
		"POSTHORN_BASE_URL="+url, "POSTHORN_API_KEY="+apiKey, "POSTHORN_TOKEN="+token, "GOFLAGS=-p=1 -mod=mod", "GOPROXY=off")
	output, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(arguments, " "), err, output)
	}
	return string(output)
}
