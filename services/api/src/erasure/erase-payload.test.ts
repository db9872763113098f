import { afterAll, expect, test } from '@jest/globals';
import { newUuid, toId } from '@posthorn/contract/ids';
import { deliveryIdFor } from '@posthorn/ledger/delivery-id';
import request from 'supertest';
import { startApi } from '../../test/api-under-test.ts';
import { createCaller } from '../../test/caller.ts';
import { uuidOf } from '../../test/people.ts';

const api = await startApi();
afterAll(() => api.stop());

const call = createCaller(api.app, { base: api.base, token: api.managementToken });
const keptWith = (text: string) => api.db.idempotentAnswer.count({ where: { answer: { contains: text } } });

test('an erased payload leaves no kept answer with the faults of its schema', async () => {
  const type = { name: 'order.created', publishIn: [api.environmentId] };
  expect((await call('post', '/event-types', type)).status).toBe(201);
  const send = () =>
    request(api.app)
      .post('/api/ingest/event/order.created')
      .set({ authorization: `Bearer ${api.apiKey}`, 'x-deliver-at': new Date(Date.now() + 3_600_000).toISOString() })
      .send({ n: 0.5 });
  const ids: string[] = [(await send()).body.id, (await send()).body.id];
  for (const id of ids) {
    await api.db.event.update({ where: { id: uuidOf('msg', id) }, data: { schemaErrors: ['n: must be integer'] } });
    const cancelled = await call('post', `/events/${id}/cancel`, {}).set('idempotency-key', id);
    expect(cancelled.status).toBe(200);
    expect(await keptWith(id)).toBe(1);
  }
  expect((await call('delete', `/events/${ids[0]}/payload`)).status).toBe(204);
  expect(await Promise.all(ids.map(keptWith))).toEqual([0, 1]);
});

test('an erased payload of a test leaves no kept answer with its attempt', async () => {
  const endpoint = await call('post', '/endpoints', { type: 'pull', environmentId: api.environmentId });
  const { workspaceId, environmentId } = api;
  const place = { workspaceId: uuidOf('ws', workspaceId), environmentId: uuidOf('env', environmentId) };
  const endpointId = uuidOf('ep', endpoint.body.id);
  const eventId = newUuid(new Date());
  const event = { isTest: true, payload: Buffer.from('x'), payloadSize: 1, published: true };
  await api.db.event.create({ data: { id: eventId, ...place, endpointId, ...event } });
  const deliveryId = deliveryIdFor(eventId, endpointId);
  const delivery = { eventId, endpointId, ...place, isTest: true, status: 'delivered' } as const;
  await api.db.delivery.create({ data: { id: deliveryId, ...delivery } });
  const attempt = { id: newUuid(new Date()), number: 1, trigger: 'test', succeeded: true } as const;
  const sent = { startedAt: new Date(), durationMs: 1, url: 'https://a.test/', requestHeaders: {} };
  await api.db.attempt.create({ data: { deliveryId, ...attempt, ...sent } });
  const answer = JSON.stringify({ id: toId('att', attempt.id), responseBody: 'Ann' });
  const expiresAt = new Date(Date.now() + 60_000);
  const kept = { requestHash: Buffer.from('x'), workspaceId: place.workspaceId, answer, expiresAt };
  await api.db.idempotentAnswer.create({ data: { digest: Buffer.from('test'), ...kept } });
  expect((await call('delete', `/events/${toId('msg', eventId)}/payload`)).status).toBe(204);
  expect(await keptWith('Ann')).toBe(0);
});
