import os

from flask import Flask
from posthorn_client.flask import webhook_handler

app = Flask(__name__)
seen = set()


@app.post("/webhooks")
@webhook_handler(os.environ["WEBHOOK_SECRET"])
def receive(webhook):
    # In production: INSERT INTO inbox … ON CONFLICT DO NOTHING, and a worker reads the table.
    if webhook.id not in seen:
        print("received", webhook.id, webhook.type, len(webhook.payload), flush=True)
        # Only now: if the work fails, Posthorn sends the webhook again.
        seen.add(webhook.id)


if __name__ == "__main__":
    app.run("127.0.0.1", int(os.environ["PORT"]))
