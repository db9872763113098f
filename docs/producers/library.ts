import { Posthorn } from '@posthorn/client';

const posthorn = new Posthorn({ baseUrl: process.env.BASE_URL, apiKey: process.env.API_KEY });
const order = { id: 'order_1000', total: 1900 };
await posthorn.events.send('order.paid', order, { idempotencyKey: 'order-1000-paid' });
