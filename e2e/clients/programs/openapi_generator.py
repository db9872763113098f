import os

import openapi_client as posthorn

workspace, name = os.environ["WORKSPACE_ID"], os.environ["NAME"]
configuration = posthorn.Configuration(host=os.environ["BASE_URL"], access_token=os.environ["TOKEN"])
with posthorn.ApiClient(configuration) as client:
    types = posthorn.EventTypesApi(client)
    print("created", types.create_event_type(workspace, posthorn.CreateEventTypeBody(name=name)).name)
    found = any(one.name == name for one in types.list_event_types(workspace, limit=100))
    print("listed", str(found).lower())
    try:
        types.get_event_type(workspace, "evt_none")
    except posthorn.exceptions.NotFoundException as refused:
        print("refused", refused.data.error.code.value, refused.data.error.message)
configuration = posthorn.Configuration(host=os.environ["BASE_URL"], access_token=os.environ["API_KEY"])
with posthorn.ApiClient(configuration) as client:
    ingestion = posthorn.IngestionApi(client)
    print("sent", ingestion.ingest_event(name, idempotency_key=name, body={"order": 1}).event_type)
    direct = ingestion.ingest_direct_event(os.environ["ENDPOINT_ID"], body={"order": 2})
    print("sent directly", direct.delivery_id[:4])
