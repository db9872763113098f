import express from 'express';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET ?? '');

const app = express();
app.post('/webhooks', express.raw({ type: () => true, limit: '1mb' }), (request, response) => {
  try {
    webhook.verify(request.body ?? '', request.headers as Record<string, string>, { jsonParse: false });
  } catch {
    response.status(400).end(); // Not from Posthorn, or too old.
    return;
  }
  process.stdout.write(`received ${request.get('webhook-id')} ${request.body}\n`);
  response.status(204).end();
});
app.listen(Number(process.env.PORT), '127.0.0.1');
