import express from 'express';
import { keepOnce } from './inbox.ts';
import { isGenuine, keyOf } from './verify.ts';

const key = keyOf(process.env.WEBHOOK_SECRET);
const app = express();
// Without these options, express.raw takes 100 KB and skips a body that has no content type.
const rawBody = express.raw({ type: () => true, limit: '1mb' });

app.post('/webhooks', rawBody, async (request, response) => {
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  if (!isGenuine(key, (name) => request.get(name), body)) {
    response.status(400).end();
    return;
  }
  await keepOnce(request.get('webhook-id') ?? '', request.get('content-type') ?? '', body);
  response.status(204).end();
});

app.listen(Number(process.env.PORT), '127.0.0.1');
