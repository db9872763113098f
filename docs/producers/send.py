import json, os, random, time, urllib.error, urllib.request


class NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None  # Another server would get the key, and a GET instead of the event.


opener = urllib.request.build_opener(NoRedirects)


def send_event(event_type, customer, key, data):
    """Sends one event, and again until Posthorn has accepted it. Raises when it is refused, or after ten attempts."""
    request = urllib.request.Request(
        f"{os.environ['BASE_URL']}/api/ingest/event/{event_type}",
        data=json.dumps(data).encode(),
        headers={
            "authorization": f"Bearer {os.environ['API_KEY']}",
            "content-type": "application/json",
            "x-application-id": customer,
            "idempotency-key": key,
        },
    )
    for attempt in range(1, 11):
        seconds = min(2**attempt, 60) * random.uniform(0.5, 1)
        try:
            with opener.open(request, timeout=30) as response:
                if response.status == 202:
                    return
                raise RuntimeError(f"not accepted: {response.status} {response.read().decode()}")
        except urllib.error.HTTPError as error:
            if error.code < 500 and error.code != 429:
                raise RuntimeError(f"refused: {error.read().decode()}") from error
            after = error.headers.get("retry-after", "")  # It may be a date, too.
            seconds = int(after) if after.isdecimal() else seconds
        except OSError:
            pass  # No answer: the event may have been accepted or not.
        time.sleep(seconds)
    raise RuntimeError(f"{event_type} {key} was not accepted")


send_event("order.paid", "ext:customer-42", "order-1004-paid", {"id": "order_1004", "total": 1900})
