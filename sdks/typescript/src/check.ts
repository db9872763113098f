import { sign } from './webhooks.ts';

// Tests a receiver of webhooks: it sends what Posthorn sends, and what an attacker would send.

export type CheckOptions = {
  /** The receiver's address. */
  url: string;
  /** The signing secret that the receiver verifies with: `whsec_…` */
  secret: string;
  /** The time limit of each request. Default: 10,000. */
  timeoutMs?: number | undefined;
  /**
   * An address that answers GET with a number, such as a count of rows. It shows whether a repeated webhook has an
   * effect twice.
   */
  effectsUrl?: string | undefined;
  /** An event type that the receiver accepts, if it refuses unknown ones. Default: `posthorn.check`. */
  eventType?: string | undefined;
  /** A `fetch` to use instead, such as for a proxy or for an authority that only you trust. */
  fetch?: typeof globalThis.fetch | undefined;
  signal?: AbortSignal | undefined;
};

export type CheckResult = {
  name: string;
  outcome: 'pass' | 'fail' | 'warn';
  /** What the receiver did wrong, or why that cannot be known; null if it did nothing wrong. */
  fault: string | null;
  /** Why the check matters. */
  why: string;
};

/** `passed` is whether no important check failed. `results` has every check, in the order in which they were made. */
export type CheckReport = { passed: boolean; results: CheckResult[] };

type Bytes = string | Uint8Array<ArrayBuffer>;
type Webhook = { body: Bytes; headers: Record<string, string>; slow?: true };
/** `isUnreached`: no byte of the request can have arrived. */
type Answer = { status: number; text: string; server: string } | { error: string; isUnreached?: boolean };

const TYPES = { json: 'application/json', text: 'text/plain; charset=utf-8', binary: 'application/octet-stream' };
const OWN_TYPE = 'posthorn.check';
/** How far the time of a webhook that must be refused is from now. A usual tolerance is five minutes. */
const FAR_MS = 3_600_000;
const OTHER_SECRET = `whsec_${btoa('another secret of 32 bytes......')}`;

/** Valid JSON in a form that no library writes: whoever parses it and writes it again gets another signature. */
function jsonBody({ eventType = OWN_TYPE }: CheckOptions): string {
  return `{ "type":${JSON.stringify(eventType)}, "id":1.0, "text":"\\u0065 and é" }`;
}

/**
 * Sends every case to the receiver, one after the other. Takes a few seconds. If no connection is possible, the report
 * has that one fault.
 */
export async function checkReceiver(options: CheckOptions): Promise<CheckReport> {
  const results: CheckResult[] = [];
  // The first request is one that is accepted: some receivers break the connection when they refuse a request.
  const first = await send(options, await signed(options.secret, jsonBody(options), { eventType: options.eventType }));
  if ('error' in first && first.isUnreached) {
    const why = 'Nothing else can be checked before the receiver can be reached.';
    return { passed: false, results: [{ name: 'connection', outcome: 'fail', fault: first.error, why }] };
  }
  for (const { name, why, minor, run } of [...accepted(options), ...refused(options), ...others(options)]) {
    const fault = await run();
    const cause = fault !== null && OF_BYTES.has(name) && 'server' in first ? causeOf(first.server) : undefined;
    results.push({
      name,
      why: cause === undefined ? why : `${why} ${cause}`,
      fault,
      outcome: fault === null ? 'pass' : minor ? 'warn' : 'fail',
    });
  }
  return { passed: results.every(({ outcome }) => outcome !== 'fail'), results };
}

/** The checks that fail when something reads or changes the body before the verification. */
const OF_BYTES = new Set(['JSON', 'text', 'binary']);

/** The names with which servers identify themselves, their language, and how to read the unchanged body in it. */
const CAUSES: readonly (readonly [servers: readonly string[], language: string, cause: string])[] = [
  [['php'], 'PHP', 'read php://input, not $_POST'],
  [['webrick', 'puma', 'unicorn', 'passenger', 'thin'], 'Ruby', 'read request.raw_post, not params'],
  [['kestrel', 'iis', 'asp.net', 'mono'], 'C#', 'read Request.Body to its end, not [FromBody]'],
  [['cowboy', 'bandit', 'inets'], 'Elixir', 'read the body before Plug.Parsers does'],
  [['jetty', 'tomcat', 'undertow', 'coyote'], 'Java', 'take the body as byte[], not as String'],
];

/** A hint for such faults in the language of the server, with the kit or library that does it right. */
function causeOf(server: string): string | undefined {
  const [, language, cause] =
    CAUSES.find(([servers]) => servers.some((name) => server.toLowerCase().includes(name))) ?? [];
  if (language === undefined) return undefined;
  const help = language === 'Java' ? 'library for Java (sdks/java)' : `kit for ${language} (sdks/receivers)`;
  return `In ${language}, ${cause}. Posthorn's ${help} verifies the bytes.`;
}

type Case = { name: string; why: string; minor?: true; run: () => Promise<string | null> };

function accepted(options: CheckOptions): Case[] {
  const raw = 'The signature covers the bytes as they arrive: parse them after the verification.';
  const accept = (name: string, why: string, make: () => Promise<Webhook>): Case => ({
    name,
    why,
    run: async () => wantSuccess(await send(options, await make())),
  });
  const good = (body: Bytes, type = TYPES.json, more: SignedOptions = {}) =>
    signed(options.secret, body, { type, eventType: options.eventType, ...more });
  const binary = new Uint8Array([0, 255, 254, 128, 13, 10, 0]);
  return [
    accept('JSON', raw, () => good(jsonBody(options))),
    accept('text', raw, () => good('line\r\nline é\n', TYPES.text)),
    accept('binary', raw, () => good(binary, TYPES.binary)),
    accept('empty body', 'An event may have no payload.', () => good('', TYPES.binary)),
    accept('256 KiB', 'A limit on the size of bodies loses large events.', () =>
      good(JSON.stringify({ type: options.eventType ?? OWN_TYPE, text: 'x'.repeat(256 * 1024 - 50) })),
    ),
    accept('slow body', 'A network may split a body: read all of it.', async () => ({
      ...(await good(jsonBody(options))),
      slow: true,
    })),
    accept('unknown type', 'A new event type that is refused is retried for days.', () =>
      good('{"type":"posthorn.check.unknown"}', TYPES.json, { eventType: 'posthorn.check.unknown' }),
    ),
    accept('older than the one before', 'Retries arrive out of order.', () =>
      good(jsonBody(options), TYPES.json, { at: new Date(Date.now() - 60_000) }),
    ),
    {
      name: 'two signatures',
      why: 'While a secret is rotated, one of several signatures matches, and it may be any of them.',
      run: async () =>
        wantSuccess(await send(options, await rotated(options, 'last'))) ??
        wantSuccess(await send(options, await rotated(options, 'first'))),
    },
    {
      name: 'repetition',
      why: 'The same webhook may arrive twice: it must succeed, and have no second effect.',
      run: () => repeat(options),
    },
  ];
}

function refused(options: CheckOptions): Case[] {
  const forged = 'Anyone who knows the address could send you false events.';
  const replayed = 'Anyone who has recorded a webhook could send it again later.';
  type Change = (webhook: Webhook) => Webhook | Promise<Webhook>;
  const refuse = (name: string, why: string, ...changes: Change[]): Case => ({
    name,
    why,
    async run() {
      for (const change of changes) {
        const fault = wantRefusal(
          await send(
            options,
            await change(await signed(options.secret, jsonBody(options), { eventType: options.eventType })),
          ),
        );
        if (fault !== null) return fault;
      }
      return null;
    },
  });
  const header = (webhook: Webhook, name: string, value: string): Webhook => ({
    ...webhook,
    headers: { ...webhook.headers, [name]: value },
  });
  const at = (ms: number) =>
    signed(options.secret, jsonBody(options), { at: new Date(Date.now() + ms), eventType: options.eventType });
  return [
    refuse('changed body', forged, (webhook) => ({ ...webhook, body: jsonBody(options).replace('1.0', '2.0') })),
    refuse('changed id', forged, (webhook) => header(webhook, 'webhook-id', 'msg_changed')),
    refuse('changed time', replayed, (webhook) =>
      header(webhook, 'webhook-timestamp', String(Number(webhook.headers['webhook-timestamp']) - 1)),
    ),
    refuse('too old', replayed, () => at(-FAR_MS)),
    refuse('in the future', replayed, () => at(FAR_MS)),
    refuse('wrong secret', forged, () => signed(OTHER_SECRET, jsonBody(options), { eventType: options.eventType })),
    refuse(
      'no signature',
      forged,
      ({ body, headers }) => ({ body, headers: { 'content-type': headers['content-type'] ?? '' } }),
      ({ body, headers: { 'webhook-signature': _, ...headers } }) => ({ body, headers }),
      (webhook) => header(webhook, 'webhook-signature', 'v1,'),
    ),
  ];
}

function others(options: CheckOptions): Case[] {
  return [
    {
      name: 'kept connection',
      why: 'Connections are used again: a refused webhook must not spoil the next one.',
      async run() {
        // The connection may end between the two requests for other reasons, so a single pair would show little.
        for (let pair = 0; pair < 3; pair += 1) {
          await send(
            options,
            await signed(OTHER_SECRET, 'x'.repeat(100_000), { type: TYPES.text, eventType: options.eventType }),
          );
          const fault = wantSuccess(
            await send(options, await signed(options.secret, jsonBody(options), { eventType: options.eventType })),
          );
          if (fault !== null) return fault;
        }
        return null;
      },
    },
    {
      name: 'GET',
      why: 'Only a signed POST is a webhook. A browser or a crawler sends GET.',
      minor: true,
      async run() {
        const answer = await request(options, { method: 'GET' });
        if ('error' in answer) return answer.error;
        const { status } = answer;
        // Some servers answer 501 to a method that they do not know.
        if ((status >= 400 && status < 500) || status === 501) return null;
        return `it answered ${status}, not 4xx such as 405`;
      },
    },
  ];
}

/** A webhook in the grace period of a rotation: two signatures, one of them with the receiver's secret. */
async function rotated(options: CheckOptions, place: 'first' | 'last'): Promise<Webhook> {
  const webhook = await signed(options.secret, jsonBody(options), { eventType: options.eventType });
  const { headers } = webhook;
  const timestamp = new Date(1_000 * Number(headers['webhook-timestamp']));
  const other = await sign(jsonBody(options), OTHER_SECRET, { id: headers['webhook-id'] ?? '', timestamp });
  const both = [other['webhook-signature'], headers['webhook-signature']];
  if (place === 'first') both.reverse();
  return { ...webhook, headers: { ...headers, 'webhook-signature': both.join(' ') } };
}

async function repeat(options: CheckOptions): Promise<string | null> {
  const webhook = await signed(options.secret, jsonBody(options), { eventType: options.eventType });
  const first = wantSuccess(await send(options, webhook));
  if (first !== null) return first;
  const before = await readEffects(options);
  const second = wantSuccess(await send(options, webhook));
  if (second !== null) return `the second time, ${second}`;
  const after = typeof before === 'string' ? before : await readEffects(options);
  if (typeof after === 'string') return `${options.effectsUrl} did not answer with a number: ${after}`;
  return before === after ? null : `the second time, it had an effect: ${before} became ${after}`;
}

/** Reads the number of effects. Returns a text that says why if it cannot be read. */
async function readEffects(options: CheckOptions): Promise<number | string | undefined> {
  const { effectsUrl } = options;
  if (effectsUrl === undefined) return undefined;
  const answer = await request(options, { redirect: 'follow' }, effectsUrl);
  if ('error' in answer) return answer.error;
  const text = answer.text.trim();
  const count = Number(text);
  return text === '' || Number.isNaN(count) ? `it answered ${answer.status} without one` : count;
}

function wantSuccess(answer: Answer): string | null {
  if ('error' in answer) return answer.error;
  return answer.status >= 200 && answer.status < 300 ? null : `it answered ${answer.status}, not 2xx`;
}

function wantRefusal(answer: Answer): string | null {
  if ('error' in answer) return answer.error;
  if (answer.status >= 400 && answer.status < 500) return null;
  return `it answered ${answer.status}, not 4xx such as 400`;
}

type SignedOptions = { type?: string; at?: Date; eventType?: string | undefined };

/** Signs a body, and adds the other headers of a webhook: a receiver may use them to choose what to do. */
async function signed(
  secret: string,
  body: Bytes,
  { type = TYPES.json, at = new Date(), eventType = OWN_TYPE }: SignedOptions = {},
): Promise<Webhook> {
  const signature = await sign(body, secret, { timestamp: at });
  const delivery = {
    'webhook-event-type': eventType,
    'webhook-delivery-id': `dlv_${crypto.randomUUID()}`,
    'webhook-attempt': '1',
    'idempotency-key': signature['webhook-id'],
  };
  return { body, headers: { 'content-type': type, ...signature, ...delivery } };
}

function send(options: CheckOptions, { body, headers, slow }: Webhook): Promise<Answer> {
  if (!slow) return request(options, { method: 'POST', headers, body });
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  // The length is sent, as Posthorn does: some servers do not read a body without one.
  const withLength = { ...headers, 'content-length': String(bytes.length) };
  return request(options, { method: 'POST', headers: withLength, body: inPieces(bytes), duplex: 'half' });
}

async function request(
  { url, timeoutMs = 10_000, fetch = globalThis.fetch, signal }: CheckOptions,
  init: RequestInit & { duplex?: 'half' },
  address = url,
): Promise<Answer> {
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(address, {
      redirect: 'manual',
      ...init,
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    });
    // The response is read to its end, so that the connection can be used again.
    const server = ['server', 'x-powered-by'].map((name) => response.headers.get(name) ?? '').join(' ');
    return { status: response.status, text: await response.text(), server };
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    if (limit.aborted) return { error: `it did not answer within ${timeoutMs} ms` };
    const { message, cause } = error as { message: string; cause?: { code?: unknown } };
    const code = typeof cause?.code === 'string' ? cause.code : message;
    return { error: `there was no answer: ${code}`, isUnreached: isOfConnecting(code) };
  }
}

function isOfConnecting(code: string): boolean {
  return (
    ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'].includes(
      code,
    ) || ['CERT', 'SELF_SIGNED', 'UNABLE_TO_', 'ERR_TLS', 'ERR_SSL'].some((part) => code.includes(part))
  );
}

/** The body in two pieces, 300 ms apart. */
function inPieces(bytes: Uint8Array): ReadableStream {
  return new ReadableStream({
    async start(controller) {
      controller.enqueue(bytes.slice(0, 10));
      await new Promise((resolve) => setTimeout(resolve, 300));
      controller.enqueue(bytes.slice(10));
      controller.close();
    },
  });
}
