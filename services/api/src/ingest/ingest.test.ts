import { afterAll, expect, test } from '@jest/globals';
import { testRedis } from '@posthorn/testkit/database';
import request from 'supertest';
import { startApi } from '../../test/api-under-test.ts';

// Without Redis, events are matched where they are accepted although no dispatcher is there.
const api = await startApi({ queue: testRedis() });
afterAll(() => api.stop());

const ingest = (path: string) =>
  request(api.app).post(`/api/ingest/${path}`).set('authorization', `Bearer ${api.apiKey}`);

async function publishedType(name: string) {
  const created = await request(api.app)
    .post(`${api.base}/event-types`)
    .set('authorization', `Bearer ${api.managementToken}`)
    .send({ name, publishIn: [api.environmentId] });
  expect(created.status).toBe(201);
}

test('an event of a published type is answered 202, after it is committed with its pending fan-out', async () => {
  await publishedType('order.created');
  const reply = await ingest('event/order.created').send({ total: 1 });
  expect(reply.status).toBe(202);
  expect(reply.body).toEqual({
    id: expect.stringMatching(/^msg_/),
    eventType: 'order.created',
    environmentId: api.environmentId,
    idempotencyKey: reply.body.id,
    published: true,
    duplicate: false,
    schemaErrors: null,
    createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
  });
  expect(await api.db.event.count()).toBe(1);
  expect(await api.db.pendingFanOut.count()).toBe(1);
});

test.each(['a%00b', '%ED%A0%80', 'Order.Created', `${'a'.repeat(5_000)}`])(
  'a name that no event type can have is not found: %.20s',
  async (name) => {
    const reply = await ingest(`event/${name}`).send({});
    expect([reply.status, reply.body.error.code]).toEqual([404, 'not_found']);
  },
);

test('docs/interface.md, Ingestion request: a Content-Type has at most 255 characters', async () => {
  await publishedType('order.described');
  const type = (length: number) => `text/plain; note=${'a'.repeat(length - 'text/plain; note='.length)}`;
  const longest = await ingest('event/order.described').set('content-type', type(255)).send('a');
  expect(longest.status).toBe(202);
  expect(await api.db.event.count({ where: { contentType: type(255) } })).toBe(1);
  const longer = await ingest('event/order.described').set('content-type', type(256)).send('a');
  expect([longer.status, longer.body.error]).toMatchObject([
    400,
    { code: 'validation_error', message: 'Content-Type must be at most 255 characters' },
  ]);
});
