import os

from posthorn import AuthenticatedClient
from posthorn.api.event_types import create_event_type, get_event_type, list_event_types
from posthorn.api.ingestion import ingest_direct_event, ingest_event
from posthorn.models import CreateEventTypeBody

workspace, name = os.environ["WORKSPACE_ID"], os.environ["NAME"]
client = AuthenticatedClient(base_url=os.environ["BASE_URL"], token=os.environ["TOKEN"])
created = create_event_type.sync(workspace, client=client, body=CreateEventTypeBody(name=name))
print("created", created.name)
found = any(one.name == name for one in list_event_types.sync(workspace, client=client, limit=100))
print("listed", str(found).lower())
refused = get_event_type.sync(workspace, "evt_none", client=client)
print("refused", refused.error.code.value, refused.error.message)
sender = AuthenticatedClient(base_url=os.environ["BASE_URL"], token=os.environ["API_KEY"])
sent = ingest_event.sync(name, client=sender, body={"order": 1}, idempotency_key=name)
print("sent", sent.event_type)
direct = ingest_direct_event.sync(os.environ["ENDPOINT_ID"], client=sender, body={"order": 2})
print("sent directly", direct.delivery_id[:4])
