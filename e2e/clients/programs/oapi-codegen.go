package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"clients/posthorn"
)

func main() {
	ctx, workspace, name := context.Background(), os.Getenv("WORKSPACE_ID"), os.Getenv("NAME")
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("TOKEN"))
		return nil
	}
	client, err := posthorn.NewClientWithResponses(os.Getenv("BASE_URL"), posthorn.WithRequestEditorFn(authorize))
	check(err)
	created, err := client.CreateEventTypeWithResponse(ctx, workspace, nil, posthorn.CreateEventTypeBody{Name: name})
	check(err)
	fmt.Println("created", created.JSON201.Name)
	limit := 100
	listed, err := client.ListEventTypesWithResponse(ctx, workspace, &posthorn.ListEventTypesParams{Limit: &limit})
	check(err)
	found := false
	for _, one := range *listed.JSON200 {
		found = found || one.Name == name
	}
	fmt.Println("listed", found)
	missing, err := client.GetEventTypeWithResponse(ctx, workspace, "evt_none")
	check(err)
	fmt.Println("refused", missing.JSON404.Error.Code, missing.JSON404.Error.Message)
	withKey := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("API_KEY"))
		return nil
	}
	sender, err := posthorn.NewClientWithResponses(os.Getenv("BASE_URL"), posthorn.WithRequestEditorFn(withKey))
	check(err)
	key, order := name, map[string]int{"order": 1}
	sent, err := sender.IngestEventWithResponse(ctx, name, &posthorn.IngestEventParams{IdempotencyKey: &key}, order)
	check(err)
	fmt.Println("sent", *sent.JSON202.EventType)
	direct, err := sender.IngestDirectEventWithResponse(ctx, os.Getenv("ENDPOINT_ID"), nil, order)
	check(err)
	fmt.Println("sent directly", direct.JSON202.DeliveryId[:4])
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
