package main

import (
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"
	"sync"

	"github.com/posthorn/posthorn-go/webhooks"
)

var seen sync.Map

// keepOnce stands for INSERT INTO inbox … ON CONFLICT DO NOTHING in your database; a worker reads the table.
func keepOnce(webhook *webhooks.Webhook, _ *http.Request) error {
	if _, again := seen.Load(webhook.ID); again {
		return nil
	}
	kind := "bytes"
	if isJSON(webhook.ContentType) && len(webhook.Payload) > 0 {
		var data any
		if err := webhook.JSON(&data); err != nil {
			return err
		}
		kind = "json"
	}
	fmt.Println("received", webhook.ID, webhook.ContentType, len(webhook.Payload), kind)
	// Only now: if the work fails, Posthorn sends the webhook again.
	seen.Store(webhook.ID, true)
	return nil
}

// isJSON: others that contain the word, such as application/x-ndjson, are not JSON.
func isJSON(contentType string) bool {
	kind, _, _ := strings.Cut(strings.ToLower(contentType), ";")
	kind = strings.TrimSpace(kind)
	return kind == "application/json" || strings.HasSuffix(kind, "+json")
}

func main() {
	handler, err := webhooks.NewHandler(keepOnce, os.Getenv("WEBHOOK_SECRET"))
	if err != nil {
		log.Fatal(err)
	}
	http.Handle("/webhooks", handler)
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}
