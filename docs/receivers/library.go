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
	if _, again := seen.LoadOrStore(webhook.ID, true); again {
		return nil
	}
	kind := "bytes"
	var data any
	if strings.Contains(webhook.ContentType, "json") && webhook.JSON(&data) == nil {
		kind = "json"
	}
	fmt.Println("received", webhook.ID, webhook.ContentType, len(webhook.Payload), kind)
	return nil
}

func main() {
	handler, err := webhooks.NewHandler(keepOnce, os.Getenv("WEBHOOK_SECRET"))
	if err != nil {
		log.Fatal(err)
	}
	http.Handle("/webhooks", handler)
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}
