import { createIngest, type Ingest } from '@posthorn/testkit/ingest-client';
import type { SentEvent } from './oracle.ts';
import type { Random } from './random.ts';
import { hashOf } from './receivers.ts';

/** An event type, and the endpoints that it must reach. */
export type Target = { eventType: string; endpoints: readonly string[] };

export type Answer = {
  /** The status, or 0 if no response came. */
  status: number;
  afterMs: number;
  atMs: number;
  retryAfter: boolean;
};

export type LoadOptions = {
  /**
   * The targets of the events. Each event goes to one of them, drawn from the seed. Default: all targets of the rig.
   */
  to?: readonly Target[];
  /** The largest padding in a body, in bytes. Default 500. */
  padding?: number;
  /** How long an event that is not accepted is sent again with the same key. Default 60 s; 0 sends it once. */
  againForMs?: number;
  /** Headers that are sent with the event. */
  headers?: Record<string, string>;
  /** Called with each event before it is sent. */
  onEvent?: (event: SentEvent) => void;
  /** Called with each event when it is accepted, and awaited before the next one is sent in its place. */
  onAccepted?: (event: SentEvent) => Promise<unknown>;
};

export type Load = {
  /** Every event that was sent, accepted or not. */
  sent: SentEvent[];
  answers: Answer[];
  /** Sends `count` events, `concurrency` (16) at a time, and calls `midway` once half of them are accepted. */
  burst: (
    events: number,
    options?: LoadOptions & { concurrency?: number; midway?: () => Promise<unknown> },
  ) => Promise<void>;
  /** Sends events at a fixed rate without waiting for responses. Resolves when all are answered. */
  steady: (perSecond: number, seconds: number, options?: LoadOptions) => Promise<void>;
  /** The number of accepted events. */
  accepted: () => number;
};

export type LoadInput = {
  apis: () => readonly { url: string }[];
  apiKey: string;
  targets: () => readonly Target[];
  random: Random;
  /** A list to which the events are added. Default: a new list. */
  sent?: SentEvent[];
};

const AGAIN_AFTER_MS = 200;
/**
 * The delay between tries doubles up to this, so that a load that waits for a store does not become a
 * flood of requests.
 */
const AGAIN_AFTER_AT_MOST_MS = 3_200;

/**
 * A producer that follows the documentation: every event has a key, and is sent again with that key until
 * it is accepted.
 */
export function createLoad({ apis, apiKey, targets, random, sent = [] }: LoadInput): Load {
  const answers: Answer[] = [];
  const clients = new Map<string, Ingest>();
  let turn = 0;
  let count = 0;
  const nextClient = (): Ingest => {
    turn += 1;
    const list = apis();
    const url = list[turn % list.length]?.url ?? '';
    const client = clients.get(url) ?? createIngest({ api: { url }, apiKey });
    clients.set(url, client);
    return client;
  };
  const runKey = random.whole(0, 2 ** 31).toString(36);

  const ask = async (path: string, body: string, given: { key: string; headers: Record<string, string> }) => {
    const atMs = Date.now();
    const headers = { 'content-type': 'application/json', 'idempotency-key': given.key, ...given.headers };
    try {
      const reply = await nextClient()(path, body, headers);
      const retryAfter = reply.headers['retry-after'] !== undefined;
      answers.push({ status: reply.status, atMs, afterMs: Date.now() - atMs, retryAfter });
      return reply;
    } catch {
      answers.push({ status: 0, atMs, afterMs: Date.now() - atMs, retryAfter: false });
      return undefined; // After a broken connection the outcome is unknown; the key makes the retry safe.
    }
  };
  const send = async ({
    to = targets(),
    padding = 500,
    againForMs = 60_000,
    headers = {},
    onEvent,
    onAccepted,
  }: LoadOptions) => {
    count += 1;
    const n = count;
    const target = random.pick(to);
    const body = `{"run":"${runKey}","n":${n},"pad":"${'x'.repeat(random.whole(0, padding))}"}`;
    const event: SentEvent = { hash: hashOf(body), endpoints: target.endpoints };
    sent.push(event);
    onEvent?.(event);
    const give = async () => {
      const reply = await ask(`event/${target.eventType}`, body, { key: `${runKey}-${n}`, headers });
      if (reply?.status === 202) return String(reply.body.id);
      if (reply !== undefined && reply.status < 500) {
        throw new Error(`an event was refused with ${reply.status}: ${JSON.stringify(reply.body)}`);
      }
      return undefined;
    };
    const untilMs = performance.now() + againForMs;
    let eventId = await give();
    for (let afterMs = AGAIN_AFTER_MS; eventId === undefined && performance.now() < untilMs; afterMs *= 2) {
      await elapsed(Math.min(afterMs, AGAIN_AFTER_AT_MOST_MS));
      eventId = await give();
    }
    if (eventId === undefined) return;
    Object.assign(event, { eventId, acceptedAtMs: Date.now() });
    await onAccepted?.(event);
  };
  const accepted = () => sent.filter((event) => event.eventId !== undefined).length;

  return {
    sent,
    answers,
    accepted,
    async burst(events, { concurrency = 16, midway, ...options } = {}) {
      let begun = 0;
      let ended = 0;
      let trouble: Promise<unknown> | undefined;
      const producer = async () => {
        while (begun < events) {
          begun += 1;
          await send(options);
          ended += 1;
          if (ended >= events / 2) trouble ??= midway?.() ?? Promise.resolve();
        }
      };
      await Promise.all(Array.from({ length: concurrency }, producer));
      await trouble;
    },
    async steady(perSecond, seconds, options = {}) {
      const underWay: Promise<void>[] = [];
      const beganMs = performance.now();
      while (underWay.length < perSecond * seconds) {
        const due = ((performance.now() - beganMs) / 1_000) * perSecond;
        while (underWay.length < Math.min(due, perSecond * seconds)) underWay.push(send(options));
        await elapsed(10);
      }
      await Promise.all(underWay);
    },
  };
}

/** Waits for `ms`: the duration is part of the fault. */
export function elapsed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
