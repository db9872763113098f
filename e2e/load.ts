import { type ApiClient, createApiClient } from '@posthorn/testkit/api-client';
import type { Receiver } from '@posthorn/testkit/receiver';
import type { Stack } from '@posthorn/testkit/stack';
import { waitFor } from '@posthorn/testkit/wait-for';
import { createIngest } from './ingest-client.ts';

const ENDPOINTS = 10;
/** These answer 500 to the first attempt of every delivery. */
const FLAKY_ENDPOINTS = [3, 7];

export type Load = {
  /** Sends the events, `concurrency` at a time; calls `midway` once half of them are accepted. */
  send: (events: number, midway?: () => Promise<unknown>) => Promise<void>;
  /** Waits until every delivery is delivered; throws when one ends otherwise or is still open after the time. */
  drain: (timeoutMs: number) => Promise<void>;
  /** What came of it. */
  verdict: () => Verdict;
};

export type Verdict = {
  accepted: number;
  /** Accepted, and never answered with a 2xx. */
  lost: number;
  /** Arrived, and never accepted. */
  unexpected: number;
  /** Arrived with other bytes than were sent, or at another endpoint. */
  corrupt: number;
  /** Arrived after the same delivery had been answered with a 2xx, or as an attempt that had arrived already. */
  again: number;
};

/** Ten endpoints on one receiver, each subscribed to an event type of its own, and the account of all receipts. */
export async function prepareLoad(stack: Stack, receiver: Receiver, config: object = {}): Promise<Load> {
  const client = createApiClient({ ...stack, baseUrl: stack.api.url });
  for (let n = 0; n < ENDPOINTS; n += 1) await subscribe(client, receiver, n, config);
  const ingest = createIngest(stack);
  const bodyOfEvent = new Map<string, string>();
  receiver.respondWith((request) => {
    const flaky = FLAKY_ENDPOINTS.some((n) => request.url === `/endpoint-${n}`);
    return { status: flaky && request.headers['webhook-attempt'] === '1' ? 500 : 200 };
  });

  return {
    async send(events, midway) {
      let next = 0;
      let trouble: Promise<unknown> | undefined;
      const producer = async () => {
        while (next < events) {
          const n = next;
          next += 1;
          const body = `{"n":${n},"to":"/endpoint-${n % ENDPOINTS}","pad":"${'x'.repeat(n % 500)}"}`;
          const { status, body: answer } = await ingest(`event/load.n${n % ENDPOINTS}`, body);
          if (status !== 202) throw new Error(`event ${n} was answered with ${status}: ${JSON.stringify(answer)}`);
          bodyOfEvent.set(String(answer.id), body);
          if (bodyOfEvent.size >= events / 2) trouble ??= midway?.() ?? Promise.resolve();
        }
      };
      await Promise.all(Array.from({ length: 8 }, producer));
      await trouble;
    },
    async drain(timeoutMs) {
      const done = async () => {
        const waiting = await stack.db.pendingFanOut.count();
        const delivered = await stack.db.delivery.count({ where: { status: 'delivered' } });
        const dead = await stack.db.delivery.count({ where: { status: { in: ['failed', 'dead_letter'] } } });
        if (dead > 0) throw new Error(`${dead} deliveries ended without success`);
        return waiting === 0 && delivered === bodyOfEvent.size;
      };
      await waitFor(done, { what: 'every delivery to be delivered', timeoutMs });
    },
    verdict: () => judge(receiver.requests, bodyOfEvent),
  };
}

async function subscribe(client: ApiClient, receiver: Receiver, n: number, config: object): Promise<void> {
  await client.subscribeEndpoint({
    url: new URL(`/endpoint-${n}`, receiver.url).href,
    eventType: `load.n${n}`,
    config,
  });
}

/** Goes by what the receivers wrote down, not by what the database says. */
function judge(requests: Receiver['requests'], bodyOfEvent: Map<string, string>): Verdict {
  const verdict = { accepted: bodyOfEvent.size, lost: 0, unexpected: 0, corrupt: 0, again: 0 };
  const delivered = new Set<string>();
  const seen = new Set<string>();
  for (const { url, headers, body } of requests) {
    const eventId = String(headers['webhook-id']);
    const attempt = `${eventId} ${headers['webhook-attempt']}`;
    const sent = bodyOfEvent.get(eventId);
    if (sent === undefined) verdict.unexpected += 1;
    else if (sent !== body.toString() || JSON.parse(sent).to !== url) verdict.corrupt += 1;
    if (delivered.has(eventId) || seen.has(attempt)) verdict.again += 1;
    seen.add(attempt);
    const flaky = FLAKY_ENDPOINTS.some((n) => url === `/endpoint-${n}`);
    if (!flaky || headers['webhook-attempt'] !== '1') delivered.add(eventId);
  }
  verdict.lost = [...bodyOfEvent.keys()].filter((eventId) => !delivered.has(eventId)).length;
  return verdict;
}
