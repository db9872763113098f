import { createCipheriv, randomBytes } from 'node:crypto';
import { newUuid } from '@posthorn/contract/ids';
import { createDb } from '@posthorn/db/client';
import { createBatcher } from '@posthorn/runtime/batch';
import { Queue } from 'bullmq';
import express from 'express';
import { Redis } from 'ioredis';

const db = createDb({ databaseUrl: String(process.env.DATABASE_URL), maxConnections: 10, onIdleError: () => {} });
const connection = new Redis(String(process.env.REDIS_URL));
const queue = new Queue('fan-out', { connection, prefix: String(process.env.BARE_PREFIX) });
const key = Buffer.from(String(process.env.BARE_KEY), 'base64');

const store = createBatcher<{ id: string; payload: Buffer }, true>({
  async run(events) {
    await db.$executeRaw`insert into bare_event select * from unnest(
      ${events.map((event) => event.id)}::uuid[], ${events.map((event) => event.payload)}::bytea[])`;
    void queue.add('fan-out', { eventIds: events.map((event) => event.id) }, { removeOnComplete: true });
    return events.map(() => true as const);
  },
  maxItems: 100,
  maxInFlight: 2,
});

const app = express();
app.set('etag', false);
app.post('/events', express.raw({ type: () => true }), async (request, response) => {
  const id = newUuid(new Date());
  await store({ id, payload: seal(request.body) });
  response.status(202).json({ id });
});
app.get('/readyz', (_request, response) => void response.end());
app.listen(Number(process.env.PORT), '127.0.0.1');
// A normal exit, so that a profile is written.
process.once('SIGTERM', () => process.exit(0));

function seal(body: Buffer): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  return Buffer.concat([nonce, cipher.update(body), cipher.final(), cipher.getAuthTag()]);
}
