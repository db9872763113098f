import { Posthorn } from '@posthorn/client';

const posthorn = new Posthorn({ baseUrl: process.env.BASE_URL, apiKey: process.env.API_KEY });
await posthorn.events.send(
  'order.paid',
  { id: 'order_1000' },
  { application: 'ext:customer-42', idempotencyKey: 'order-1000-paid' },
);
