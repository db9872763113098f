import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { systemClock } from '@posthorn/runtime/clock';
import request from 'supertest';
import { type ApiUnderTest, startApi } from '../../test/api-under-test.ts';
import { type Caller, codeOf, createCaller } from '../../test/caller.ts';

let aheadMs = 0;
let api: ApiUnderTest;
let call: Caller;
beforeAll(async () => {
  api = await startApi({ clock: { ...systemClock, now: () => new Date(Date.now() + aheadMs) } });
  call = createCaller(api.app, { base: api.base, token: api.managementToken });
});
afterAll(() => api.stop());

test('a workspace keeps nothing longer than the installation, and each problem names its field', async () => {
  for (const [body, message] of [
    [{ payloadRetentionHours: 169 }, 'payloadRetentionHours must be at most 168, the retention of this installation'],
    [{ retentionHours: 2_000 }, 'retentionHours must be at most 168, the retention of this installation'],
    [{ retentionHours: 23 }, 'retentionHours must be a whole number from 24 to 2160, or null'],
    [{ payloadRetentionHours: 0 }, 'payloadRetentionHours must be a whole number from 1 to 2160, or null'],
    [{ payloadRetentionHours: 1.5 }, 'payloadRetentionHours must be a whole number from 1 to 2160, or null'],
  ] as const) {
    const refused = await call('patch', '', body);
    expect([codeOf(refused), refused.body.error.message]).toEqual(['validation_error', message]);
  }
  const kept = { payloadRetentionHours: null, retentionHours: null, installationRetentionHours: 168 };
  expect((await call('get')).body).toMatchObject(kept);
});

test('payloads expire and lists end exactly at the retention of the workspace', async () => {
  await call('post', '/event-types', { name: 'order.created', publishIn: [api.environmentId] });
  const sent = await request(api.app)
    .post('/api/ingest/event/order.created')
    .set('authorization', `Bearer ${api.apiKey}`)
    .send({ n: 1 });
  expect(sent.status).toBe(202);
  const [{ id }] = (await call('get', '/events')).body.events;
  const changed = await call('patch', '', { payloadRetentionHours: 2, retentionHours: 24 });
  expect(changed.body).toMatchObject({ payloadRetentionHours: 2, retentionHours: 24 });
  const seen = async (hours: number) => {
    aheadMs = hours * 3_600_000;
    const { status } = (await call('get', `/events/${id}?include=payload`)).body.payload;
    return [status, (await call('get', '/events')).body.events.length];
  };
  expect(await seen(1.9)).toEqual(['available', 1]);
  expect(await seen(2.1)).toEqual(['expired', 1]);
  expect(await seen(24.1)).toEqual(['expired', 0]);
  aheadMs = 0;
  expect((await call('patch', '', { payloadRetentionHours: null, retentionHours: null })).body).toMatchObject({
    payloadRetentionHours: null,
    retentionHours: null,
  });
  expect(await seen(24.1)).toEqual(['available', 1]);
  aheadMs = 0;
  const { data } = (await call('get', '/audit-logs?action=workspace.updated')).body;
  expect(data[1].metadata.changes).toEqual({
    payloadRetentionHours: { from: null, to: 2 },
    retentionHours: { from: null, to: 24 },
  });
});

test('the list of operations ends at the retention of the workspace, but has those that have not ended', async () => {
  const { id: endpoint } = (await call('post', '/endpoints', { url: 'https://127.0.0.1/' })).body;
  const start = async () => (await call('post', '/deliveries/cancel', { filter: { endpointId: endpoint } })).body.id;
  const [ended, open] = [await start(), await start()];
  expect((await call('post', `/operations/${ended}/cancel`)).status).toBe(200);
  await call('patch', '', { retentionHours: 24 });
  const listed = async (hours: number) => {
    aheadMs = hours * 3_600_000;
    return (await call('get', '/operations')).body.operations.map(({ id }: { id: string }) => id);
  };
  expect(await listed(23.9)).toEqual([open, ended]);
  expect(await listed(24.1)).toEqual([open]);
  expect((await call('get', `/operations/${ended}`)).status).toBe(200);
  await call('patch', '', { retentionHours: null });
  expect(await listed(24.1)).toEqual([open, ended]);
  aheadMs = 0;
});
