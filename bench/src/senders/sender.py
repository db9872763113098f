"""What typescript.ts does, in Python: the library beside httpx, which it is built on."""

import asyncio
import json
import os
import sys
import time
import uuid

import httpx

from posthorn_client import AsyncPosthorn

IN_FLIGHT = 64
BASE_URL, API_KEY, EVENT_TYPE = (os.environ[name] for name in ("BASE_URL", "API_KEY", "EVENT_TYPE"))
PAYLOAD = json.loads(os.environ["BODY"])
LIMITS = httpx.Limits(max_connections=100, max_keepalive_connections=100, keepalive_expiry=4.0)


async def send_for(seconds, send):
    sent = 0
    cpu_before, started_at = time.process_time(), time.monotonic()

    async def send_on():
        nonlocal sent
        while time.monotonic() - started_at < seconds:
            await send()
            sent += 1

    await asyncio.gather(*(send_on() for _ in range(IN_FLIGHT)))
    taken = time.monotonic() - started_at
    return {"sent": sent, "seconds": taken, "cpuSeconds": time.process_time() - cpu_before}


async def main():
    async with AsyncPosthorn(BASE_URL, api_key=API_KEY, retries=0) as posthorn, httpx.AsyncClient(limits=LIMITS) as http:

        async def library():
            await posthorn.events.send(EVENT_TYPE, PAYLOAD, application="*")

        async def bare():
            headers = {
                "authorization": f"Bearer {API_KEY}",
                "content-type": "application/json",
                "idempotency-key": str(uuid.uuid4()),
            }
            url = f"{BASE_URL}/api/ingest/event/{EVENT_TYPE}"
            response = await http.post(url, content=json.dumps(PAYLOAD), headers=headers, timeout=15.0)
            response.raise_for_status()
            response.json()

        for line in sys.stdin:
            name, seconds = line.split()
            result = await send_for(float(seconds), {"library": library, "bare": bare}[name])
            print(json.dumps(result), flush=True)


asyncio.run(main())
