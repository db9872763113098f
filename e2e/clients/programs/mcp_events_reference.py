"""A server of MCP Events that others wrote: mcp-webhook-events, on the official Python SDK.

It listens at the port of its first argument. Each line of its standard input is the payload of an event that it sends.
"""

import sys
import threading

import uvicorn
from mcp.server import MCPServer
from mcp_webhook_events import EventDefinition, McpEvents, SafeHttp

PORT = int(sys.argv[1])
SCHEMA = {"type": "object", "properties": {"country": {"type": "string"}}}

server = MCPServer("reference", log_level="WARNING")
events = McpEvents(
    server,
    store=sys.argv[2],
    definitions=[EventDefinition("order.shipped", "An order has left.", SCHEMA, SCHEMA)],
    http=SafeHttp(allow_insecure_for_tests=True),
)
events.install()


def send():
    import json

    for line in sys.stdin:
        events.publish("order.shipped", json.loads(line))
        events.deliver_pending()


threading.Thread(target=send, daemon=True).start()
uvicorn.run(server.streamable_http_app(), host="127.0.0.1", port=PORT, log_level="warning")
