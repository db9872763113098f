import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { webhookHandler } from '@posthorn/client/express';

const receive = webhookHandler(process.env.WEBHOOK_SECRET, (webhook) => {
  process.stdout.write(`received ${webhook.id} ${webhook.text()}\n`);
});

const [cert, key] = ['cert', 'key'].map((name) => readFileSync(`.posthorn/receiver/${name}.pem`));
createServer({ cert, key }, receive).listen(process.env.PORT ?? 9444, '127.0.0.1');
