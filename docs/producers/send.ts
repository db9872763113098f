const response = await fetch(`${process.env.BASE_URL}/api/ingest/event/order.paid`, {
  method: 'POST',
  headers: {
    authorization: `Bearer ${process.env.API_KEY}`,
    'content-type': 'application/json',
    'x-application-id': 'ext:customer-42',
    'idempotency-key': 'order-1002-paid',
  },
  body: JSON.stringify({ id: 'order_1002', total: 1900 }),
});
if (response.status !== 202) throw new Error(await response.text());
