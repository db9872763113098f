package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math/rand"
	"net/http"
	"os"
	"strconv"
	"time"
)

var client = &http.Client{
	Timeout: 30 * time.Second,
	// Another server must not get the key.
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// sendEvent sends one event, and again until Posthorn has accepted it.
func sendEvent(eventType, customer, key string, data any) error {
	body, err := json.Marshal(data)
	if err != nil {
		return err
	}
	for attempt := 1; attempt <= 10; attempt++ {
		wait := time.Duration(float64(min(1<<attempt, 60)) * (0.5 + rand.Float64()/2) * float64(time.Second))
		url := os.Getenv("BASE_URL") + "/api/ingest/event/" + eventType
		request, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(body))
		if err != nil {
			return err
		}
		request.Header.Set("authorization", "Bearer "+os.Getenv("API_KEY"))
		request.Header.Set("content-type", "application/json")
		request.Header.Set("x-application-id", customer)
		request.Header.Set("idempotency-key", key)
		// An error is no answer: the event may have been accepted or not.
		if response, err := client.Do(request); err == nil {
			answer, _ := io.ReadAll(response.Body)
			response.Body.Close()
			if response.StatusCode == http.StatusAccepted {
				return nil
			}
			if response.StatusCode < 500 && response.StatusCode != http.StatusTooManyRequests {
				return fmt.Errorf("refused: %s", answer)
			}
			if after, err := strconv.Atoi(response.Header.Get("retry-after")); err == nil {
				wait = time.Duration(after) * time.Second
			}
		}
		time.Sleep(wait)
	}
	return fmt.Errorf("%s %s was not accepted", eventType, key)
}

func main() {
	order := map[string]any{"id": "order_1005", "total": 1900}
	if err := sendEvent("order.paid", "ext:customer-42", "order-1005-paid", order); err != nil {
		log.Fatal(err)
	}
}
