import { randomBytes } from 'node:crypto';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { Random } from '../random.ts';
import { hashOf } from '../receivers.ts';
import type { Endpoint, Rig } from '../rig.ts';
import type { Mark, Outcome, Tools } from '../row.ts';
import { ask, codeOf, field, inTurns, type Reply } from './ask.ts';
import { type HostileBody, hostileBody } from './hostile-bodies.ts';

const BODIES = 1_000;
const MAX_BYTES = 256 * 1024;
const LONGEST_BATCH = 20;
const AT_ONCE = 8;
/** Every fourth event has an idempotency key. */
const KEYED = 4;

/** Sends hostile bodies to each ingestion route. Compares the accepted ones byte for byte at the receiver. */
export async function payloads(rig: Rig, { random, scaled, say }: Tools): Promise<Outcome> {
  const endpoint = await rig.addEndpoint({ name: 'payloads', loaded: false });
  const refused: string[] = [];
  const refuse = (body: HostileBody, reply: Pick<Reply, 'status' | 'text'>) =>
    void refused.push(`${body.what} as ${body.contentType}: ${reply.status} ${reply.text.slice(0, 200)}`);
  const bodies = Array.from({ length: scaled(BODIES) }, () => hostileBody(random));
  const alone = await inTurns(bodies, AT_ONCE, async (body, n) => {
    const reply = await sendAlone(rig, { endpoint, body, n });
    if (!noteAccepted(rig, { endpoint, bytes: body.bytes, id: field(reply, 'id') })) refuse(body, reply);
    // Events with and without keys are mixed. A repeated key must still be recognized.
    if (n % KEYED === 0) {
      const again = await sendAlone(rig, { endpoint, body, n });
      if (field(again, 'id') !== field(reply, 'id')) refuse({ ...body, what: `${body.what} again` }, again);
    }
    return reply;
  });
  const forBatches = bodies.filter((body) => body.json && body.what !== 'byteOrderMark');
  const batches = await inTurns(inBatches(random, forBatches), AT_ONCE, async (batch, n) => {
    const reply = await sendBatch(rig, { endpoint, batch, n });
    const results = field(reply, 'results');
    for (const [index, body] of batch.entries()) {
      const result: unknown = Array.isArray(results) ? results[index] : undefined;
      const text = JSON.stringify(result) ?? reply.text;
      const id = typeof result === 'object' && result !== null ? Reflect.get(result, 'id') : undefined;
      if (noteAccepted(rig, { endpoint, bytes: trimmed(body.bytes), id })) continue;
      refuse({ ...body, what: `${body.what} in a batch` }, { ...reply, text });
    }
    return reply;
  });
  const kinds = new Map(refused.map((words) => [words.split(' as ')[0], words]));
  for (const words of kinds.values()) say(`refused: ${words}`);
  await rig.drain();
  for (const words of await failures(rig)) say(words);
  const failed = [...alone, ...batches].filter(({ status }) => status === 0 || status >= 500);
  return {
    duplicatesAtMost: 0,
    marks: [
      { what: '5xx or no answer', value: failed.length, atMost: 0 },
      { what: 'well-formed and refused', value: refused.length, atMost: 0 },
      ...(await refusals(rig, endpoint)),
    ],
  };
}

type Sent = { endpoint: Endpoint; n: number };

/** The accepted events that could not be delivered. The verdict counts them as lost. */
async function failures({ db }: Rig): Promise<string[]> {
  const rows = await db.$queryRaw<{ words: string }[]>`
    select format('%s times %s as %s, %s to %s bytes', count(*), d.failure_reason, coalesce(e.content_type, 'nothing'),
      min(e.payload_size), max(e.payload_size)) as words
    from delivery d join event e on e.id = d.event_id
    where d.failure_reason is not null group by d.failure_reason, e.content_type`;
  return rows.map((row) => row.words);
}

/** Sends a body alone, in turn to the event type and to the endpoint, and to each API. */
function sendAlone(rig: Rig, { endpoint, body, n }: Sent & { body: HostileBody }): Promise<Reply> {
  const path = n % 3 === 0 ? endpoint.id : `event/${endpoint.eventType}`;
  const { bytes, contentType } = body;
  const headers: Record<string, string> = contentType === undefined ? {} : { 'content-type': contentType };
  if (n % KEYED === 0) headers['idempotency-key'] = `hostile-${n}`;
  return ask('POST', `${urlOf(rig, n)}/api/ingest/${path}`, { token: rig.apiKey, headers, bytes });
}

/** Sends unchanged bodies in a batch that is made without JSON.stringify. */
function sendBatch(rig: Rig, { endpoint, batch, n }: Sent & { batch: readonly HostileBody[] }): Promise<Reply> {
  const items = batch.flatMap(({ bytes }) => [
    Buffer.from(`,{"eventType":"${endpoint.eventType}", "data" :`),
    trimmed(bytes),
    Buffer.from('}'),
  ]);
  const bytes = Buffer.concat([Buffer.from('{"events":['), Buffer.concat(items).subarray(1), Buffer.from(']}')]);
  const headers = { 'content-type': 'application/json' };
  return ask('POST', `${urlOf(rig, n)}/api/ingest/batch`, { token: rig.apiKey, headers, bytes });
}

function noteAccepted(rig: Rig, { endpoint, bytes, id }: { endpoint: Endpoint; bytes: Buffer; id: unknown }): boolean {
  if (typeof id !== 'string') return false;
  rig.load.sent.push({ hash: hashOf(bytes), endpoints: [endpoint.name], eventId: id, acceptedAtMs: Date.now() });
  return true;
}

/** Sends bodies over the limit, and bodies declared as compressed, to all three ingestion routes. */
async function refusals(rig: Rig, endpoint: Endpoint): Promise<Mark[]> {
  const over = randomBytes(MAX_BYTES + 1);
  const json = Buffer.from(`{"events":[{"eventType":"${endpoint.eventType}","data":{}}]}`);
  const compressed = {
    gzip: gzipSync(json),
    deflate: deflateSync(json),
    br: brotliCompressSync(json),
    zstd: json,
    x: json,
  };
  const wrong: string[] = [];
  for (const path of [`event/${endpoint.eventType}`, endpoint.id, 'batch']) {
    const url = `${urlOf(rig, 0)}/api/ingest/${path}`;
    const send = (bytes: Buffer, headers: Record<string, string>) =>
      ask('POST', url, { token: rig.apiKey, headers, bytes });
    const wanted = async (code: string, reply: Reply) => {
      if (codeOf(reply) !== code) wrong.push(`${path}: ${codeOf(reply)} instead of ${code}`);
    };
    const bytes = path === 'batch' ? Buffer.alloc(1_048_577, ' ') : over;
    await wanted('payload_too_large', await send(bytes, { 'content-type': 'application/json' }));
    for (const [encoding, body] of Object.entries(compressed)) {
      const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
      await wanted('unsupported_media_type', await send(body, headers));
    }
  }
  return [{ what: `not 413 or 415${wrong.length > 0 ? ` (${wrong[0]})` : ''}`, value: wrong.length, atMost: 0 }];
}

/** Makes small batches, each under the size limit of a batch. */
function inBatches(random: Random, bodies: readonly HostileBody[]): HostileBody[][] {
  const batches: HostileBody[][] = [];
  let room = 0;
  let length = 0;
  for (const body of bodies) {
    const last = batches.at(-1);
    if (last === undefined || last.length >= length || body.bytes.length > room) {
      batches.push([body]);
      room = 900_000 - body.bytes.length;
      length = random.whole(1, LONGEST_BATCH);
    } else {
      last.push(body);
      room -= body.bytes.length;
    }
  }
  return batches;
}

/** White space around a value in a batch belongs to the batch, not to the value. */
function trimmed(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1');
  const start = text.search(/[^ \t\r\n]/);
  return bytes.subarray(Math.max(0, start), text.trimEnd().length);
}

function urlOf(rig: Rig, n: number): string {
  return rig.apis[n % rig.apis.length]?.url ?? '';
}
