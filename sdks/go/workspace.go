package posthorn

import (
	"context"
	"net/http"
	"strings"
	"sync"
)

// workspace looks up the workspace of the token. Concurrent calls share one request. After a failure, the next call
// asks again.
type workspace struct {
	mutex sync.Mutex
	asked *question
}

type question struct {
	done chan struct{}
	id   string
	err  error
}

func (t *transport) workspacePath(ctx context.Context) (string, error) {
	if strings.HasPrefix(t.settings.token, "php_") {
		return "/api/portal", nil
	}
	id := t.settings.workspaceID
	if id == "" {
		asked := t.askWorkspace(ctx)
		select {
		case <-asked.done:
		case <-ctx.Done():
			return "", ctx.Err()
		}
		if asked.err != nil {
			return "", asked.err
		}
		id = asked.id
	}
	return fillPath("/management/v1/workspaces/{workspaceID}", []string{id})
}

func (t *transport) askWorkspace(ctx context.Context) *question {
	t.workspace.mutex.Lock()
	defer t.workspace.mutex.Unlock()
	if t.workspace.asked != nil {
		return t.workspace.asked
	}
	asked := &question{done: make(chan struct{})}
	t.workspace.asked = asked
	// A caller that gives up must not cancel the request for the others.
	go t.answer(context.WithoutCancel(ctx), asked)
	return asked
}

func (t *transport) answer(ctx context.Context, asked *question) {
	me, err := request[OwnManagementToken](ctx, t, call{method: "GET", path: "/management/v1/me"}, callSettings{})
	if err == nil && me.Workspace.ID == "" {
		err = &Error{Kind: Refused, Status: http.StatusOK, Code: CodeUnexpectedAnswer, Message: "The answer names no workspace: check BaseURL"}
	}
	if err != nil {
		asked.err = err
		t.workspace.mutex.Lock()
		t.workspace.asked = nil
		t.workspace.mutex.Unlock()
	} else {
		asked.id = me.Workspace.ID
	}
	close(asked.done)
}
