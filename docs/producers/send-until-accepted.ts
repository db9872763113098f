import { setTimeout as pause } from 'node:timers/promises';

type Event = { type: string; customer: string; key: string; data: unknown };

/** Sends one event, and again until Posthorn has accepted it. Rejects when it is refused, or after ten attempts. */
export async function sendEvent({ type, customer, key, data }: Event): Promise<void> {
  const request = {
    method: 'POST',
    headers: {
      authorization: `Bearer ${process.env.API_KEY}`,
      'content-type': 'application/json',
      'x-application-id': customer,
      'idempotency-key': key,
    },
    body: JSON.stringify(data),
  };
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    const url = `${process.env.BASE_URL}/api/ingest/event/${type}`;
    // No answer is a reason to send again: the event may have been accepted or not.
    const response = await fetch(url, { ...request, signal: AbortSignal.timeout(30_000) }).catch(() => undefined);
    if (response?.status === 202) return;
    if (response !== undefined && response.status < 500 && response.status !== 429) {
      throw new Error(`refused: ${await response.text()}`);
    }
    const backoff = Math.min(2 ** attempt, 60) * (0.5 + Math.random() / 2);
    // It may be a date, too.
    const after = Number.parseInt(response?.headers.get('retry-after') ?? '', 10);
    await pause(1_000 * (after >= 0 ? after : backoff));
  }
  throw new Error(`${type} ${key} was not accepted`);
}

await sendEvent({
  type: 'order.paid',
  customer: 'ext:customer-42',
  key: 'order-1003-paid',
  data: { id: 'order_1003', total: 1900 },
});
