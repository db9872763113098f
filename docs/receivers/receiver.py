import base64, hashlib, hmac, json, os, re, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))
if not KEY:
    raise ValueError("WEBHOOK_SECRET is empty: anybody could sign")
seen = set()


def is_genuine(headers, body):
    """Whether a valid secret has signed these bytes, at most five minutes ago. Never raises."""
    webhook_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not re.fullmatch("[0-9]{1,12}", timestamp) or abs(time.time() - int(timestamp)) > 300:
        return False
    signed = f"{webhook_id}.{timestamp}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest())
    given = headers.get("webhook-signature", "").split()
    return any(hmac.compare_digest(expected, one.encode()) for one in given)


def keep_once(webhook_id, content_type, body):
    """In production: INSERT INTO inbox … ON CONFLICT DO NOTHING, and a worker reads the table."""
    if webhook_id in seen:
        return
    # Other types that contain the word, such as x-ndjson, are not JSON.
    kind = content_type.lower().split(";")[0].strip()
    is_json = (kind == "application/json" or kind.endswith("+json")) and body
    # json.loads refuses a byte order mark in text; utf-8-sig removes it.
    data = json.loads(body.decode("utf-8-sig")) if is_json else body
    print("received", webhook_id, content_type, len(body), "bytes" if data is body else "json", flush=True)
    # Only now: if the work fails, Posthorn sends the webhook again.
    seen.add(webhook_id)


class Webhooks(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        genuine = is_genuine(self.headers, body)
        if genuine:
            keep_once(self.headers["webhook-id"], self.headers.get("content-type", ""), body)
        self.send_response(204 if genuine else 400)
        self.send_header("content-length", "0")
        self.end_headers()


ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Webhooks).serve_forever()
