package main

import (
	"context"
	"log"
	"os"

	"github.com/posthorn/posthorn-go"
)

func main() {
	client, err := posthorn.New(posthorn.Options{BaseURL: os.Getenv("BASE_URL"), APIKey: os.Getenv("API_KEY")})
	if err != nil {
		log.Fatal(err)
	}
	order := map[string]any{"id": "order_1010", "total": 1900}
	customer := posthorn.WithApplication("ext:customer-42")
	key := posthorn.WithIdempotencyKey("order-1010-paid")
	if _, err := client.Events.Send(context.Background(), "order.paid", order, customer, key); err != nil {
		log.Fatal(err)
	}
}
