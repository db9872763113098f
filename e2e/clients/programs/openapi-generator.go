package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	posthorn "clients/posthorn"
)

func main() {
	workspace, name := os.Getenv("WORKSPACE_ID"), os.Getenv("NAME")
	ctx := context.WithValue(context.Background(), posthorn.ContextAccessToken, os.Getenv("TOKEN"))
	configuration := posthorn.NewConfiguration()
	configuration.Servers = posthorn.ServerConfigurations{{URL: os.Getenv("BASE_URL")}}
	types := posthorn.NewAPIClient(configuration).EventTypesAPI
	created, _, err := types.CreateEventType(ctx, workspace).CreateEventTypeBody(*posthorn.NewCreateEventTypeBody(name)).Execute()
	check(err)
	fmt.Println("created", created.GetName())
	listed, _, err := types.ListEventTypes(ctx, workspace).Limit(100).Execute()
	check(err)
	found := false
	for _, one := range listed {
		found = found || one.GetName() == name
	}
	fmt.Println("listed", found)
	_, _, err = types.GetEventType(ctx, workspace, "evt_none").Execute()
	var refused *posthorn.GenericOpenAPIError
	if !errors.As(err, &refused) {
		panic(err)
	}
	body, isError := refused.Model().(posthorn.ErrorBody)
	if !isError {
		panic(err)
	}
	fmt.Println("refused", body.Error.GetCode(), body.Error.GetMessage())
	withKey := context.WithValue(context.Background(), posthorn.ContextAccessToken, os.Getenv("API_KEY"))
	ingestion, order := posthorn.NewAPIClient(configuration).IngestionAPI, map[string]int{"order": 1}
	sent, _, err := ingestion.IngestEvent(withKey, name).IdempotencyKey(name).Body(order).Execute()
	check(err)
	fmt.Println("sent", sent.GetEventType())
	direct, _, err := ingestion.IngestDirectEvent(withKey, os.Getenv("ENDPOINT_ID")).Body(order).Execute()
	check(err)
	fmt.Println("sent directly", direct.GetDeliveryId()[:4])
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
