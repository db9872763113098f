import { createDecipheriv, createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { Agent } from 'node:https';
import { createSecureContext, rootCertificates } from 'node:tls';
import { newUuid } from '@posthorn/contract/ids';
import { createDb } from '@posthorn/db/client';
import { createBatcher } from '@posthorn/runtime/batch';
import { Queue, Worker } from 'bullmq';
import got from 'got';
import { Redis } from 'ioredis';

type Claimed = { id: string; url: string; eventId: string; payload: Uint8Array };
type Result = { id: string; status: number; durationMs: number; url: string; headers: string };

const db = createDb({ databaseUrl: String(process.env.DATABASE_URL), maxConnections: 10, onIdleError: () => {} });
const connection = () => new Redis(String(process.env.REDIS_URL), { maxRetriesPerRequest: null });
const urls = String(process.env.BARE_URLS).split(',');
const key = Buffer.from(String(process.env.BARE_KEY), 'base64');
const prefix = String(process.env.BARE_PREFIX);
const deliverQueue = new Queue('deliver', { connection: connection(), prefix });
const client = got.extend({
  decompress: false,
  responseType: 'buffer',
  retry: { limit: 0 },
  throwHttpErrors: false,
  followRedirect: false,
  agent: {
    https: new Agent({
      keepAlive: true,
      secureContext: createSecureContext({ ca: [...rootCertificates, String(process.env.BARE_CA)] }),
    }),
  },
});

const claim = createBatcher<{ id: string; eventId: string }, Claimed | undefined>({
  async run(jobs) {
    const ids = jobs.map((job) => job.id);
    const rows = await db.$queryRaw<Claimed[]>`
      with claimed as (
        update bare_delivery set status = 'delivering', due_at = now() + interval '20 s'
        where id = any(${ids}::uuid[]) and due_at <= now() returning id, url, event_id)
      select c.id, c.url, c.event_id as "eventId", e.payload from claimed c join bare_event e on e.id = c.event_id
      and e.id = any(${jobs.map((job) => job.eventId)}::uuid[])`;
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => byId.get(id));
  },
  maxItems: 100,
  maxInFlight: 2,
});

const settle = createBatcher<Result, true>({
  async run(results) {
    await db.$executeRaw`
      with result as (select * from json_to_recordset(${JSON.stringify(results.map((one) => ({ ...one, attempt: newUuid(new Date()) })))}::json)
        as r(id uuid, attempt uuid, status int, "durationMs" real, url text, headers text)),
      attempts as (insert into bare_attempt select attempt, id, status, "durationMs", url, headers::json from result)
      update bare_delivery d set status = 'delivered', due_at = null, attempts = attempts + 1 from result r where d.id = r.id
        and d.id = any(${results.map((one) => one.id)}::uuid[])`;
    return results.map(() => true as const);
  },
  maxItems: 100,
  maxInFlight: 2,
});

new Worker<{ eventIds: string[] }>('fan-out', (job) => fanOut(job.data.eventIds), {
  connection: connection(),
  prefix,
  concurrency: 4,
});
new Worker<{ id: string; eventId: string }>('deliver', (job) => deliver(job.data), {
  connection: connection(),
  prefix,
  concurrency: 200,
});
createServer((_request, response) => response.end()).listen(Number(process.env.PORT), '127.0.0.1');
// A normal exit, so that a profile is written.
process.once('SIGTERM', () => process.exit(0));

async function fanOut(eventIds: string[]): Promise<void> {
  const rows = eventIds.map((eventId) => ({ id: newUuid(new Date()), eventId, url: nextUrl() }));
  await db.$executeRaw`insert into bare_delivery select *, 'pending', now() from unnest(
    ${rows.map((row) => row.id)}::uuid[], ${rows.map((row) => row.eventId)}::uuid[], ${rows.map((row) => row.url)}::text[])`;
  await deliverQueue.addBulk(
    rows.map(({ id, eventId }) => ({
      name: 'deliver',
      data: { id, eventId },
      opts: { jobId: id, removeOnComplete: true },
    })),
  );
}

let nth = 0;

/** The next endpoint, in rotation. */
function nextUrl(): string {
  nth += 1;
  return urls[nth % urls.length] ?? '';
}

async function deliver(job: { id: string; eventId: string }): Promise<void> {
  const claimed = await claim(job);
  if (claimed === undefined) return;
  const body = open(Buffer.from(claimed.payload));
  const timestamp = Math.floor(Date.now() / 1_000);
  const signature = createHmac('sha256', key).update(`${claimed.eventId}.${timestamp}.`).update(body).digest('base64');
  const headers = {
    'content-type': 'application/json',
    'webhook-id': claimed.eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${signature}`,
  };
  const startedAt = performance.now();
  const { statusCode } = await client.post(claimed.url, { headers, body });
  const durationMs = performance.now() - startedAt;
  await settle({ id: job.id, status: statusCode, durationMs, url: claimed.url, headers: JSON.stringify(headers) });
}

function open(sealed: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12));
  decipher.setAuthTag(sealed.subarray(-16));
  return Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]);
}
