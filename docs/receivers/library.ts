import { webhookHandler } from '@posthorn/client/express';
import express from 'express';
import { keepOnce } from './inbox.ts';

const app = express();
const receive = webhookHandler(process.env.WEBHOOK_SECRET, async ({ id, contentType, payload }) => {
  await keepOnce(id, contentType ?? '', payload);
});
app.post('/webhooks', receive);
app.listen(Number(process.env.PORT), '127.0.0.1');
