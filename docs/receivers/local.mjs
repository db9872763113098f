import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import express from 'express';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET);
const app = express();
app.post('/webhooks', express.raw({ type: () => true, limit: '1mb' }), ({ body, headers }, response) => {
  try {
    webhook.verify(body ?? '', headers, { jsonParse: false });
  } catch {
    return response.status(400).end(); // Not from Posthorn, or too old.
  }
  process.stdout.write(`received ${headers['webhook-id']} ${body}\n`);
  return response.status(204).end();
});

const [cert, key] = ['cert', 'key'].map((name) => readFileSync(`.posthorn/receiver/${name}.pem`));
createServer({ cert, key }, app).listen(process.env.PORT ?? 9444, '127.0.0.1');
