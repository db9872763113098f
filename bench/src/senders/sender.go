// What typescript.ts does, in Go: the library beside net/http, which it is built on.
package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/posthorn/posthorn-go"
)

const inFlight = 64

var (
	baseURL   = os.Getenv("BASE_URL")
	apiKey    = os.Getenv("API_KEY")
	eventType = os.Getenv("EVENT_TYPE")
	payload   map[string]any
)

func main() {
	if err := json.Unmarshal([]byte(os.Getenv("BODY")), &payload); err != nil {
		log.Fatal(err)
	}
	client, err := posthorn.New(posthorn.Options{BaseURL: baseURL, APIKey: apiKey, Retries: posthorn.Value(0)})
	if err != nil {
		log.Fatal(err)
	}
	own := http.DefaultTransport.(*http.Transport).Clone()
	own.MaxIdleConnsPerHost = inFlight
	bare := &http.Client{Transport: own, Timeout: 15 * time.Second}
	senders := map[string]func() error{
		"library": func() error {
			_, err := client.Events.Send(context.Background(), eventType, payload, posthorn.WithApplication(posthorn.AllApplications))
			return err
		},
		"bare": func() error { return sendBare(bare) },
	}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var name string
		var seconds float64
		if _, err := fmt.Sscan(lines.Text(), &name, &seconds); err != nil {
			log.Fatal(err)
		}
		sendFor(time.Duration(seconds*float64(time.Second)), senders[name])
	}
}

func sendBare(client *http.Client) error {
	body, err := json.Marshal(payload)
	if err != nil {
		return err
	}
	request, err := http.NewRequest(http.MethodPost, baseURL+"/api/ingest/event/"+eventType, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+apiKey)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", rand.Text())
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	answered, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusAccepted {
		return fmt.Errorf("refused: %s", answered)
	}
	return json.Unmarshal(answered, &posthorn.IngestAnswer{})
}

func sendFor(duration time.Duration, send func() error) {
	var sent atomic.Int64
	var group sync.WaitGroup
	cpuBefore, startedAt := cpu(), time.Now()
	for range inFlight {
		group.Add(1)
		go func() {
			defer group.Done()
			for time.Since(startedAt) < duration {
				if err := send(); err != nil {
					log.Fatal(err)
				}
				sent.Add(1)
			}
		}()
	}
	group.Wait()
	taken := time.Since(startedAt)
	fmt.Printf("{\"sent\":%d,\"seconds\":%f,\"cpuSeconds\":%f}\n", sent.Load(), taken.Seconds(), cpu()-cpuBefore)
}

func cpu() float64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		log.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()).Seconds()
}
