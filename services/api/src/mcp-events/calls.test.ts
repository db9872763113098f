import { afterAll, beforeAll, expect, test } from '@jest/globals';
import request from 'supertest';
import { type ApiUnderTest, startApi } from '../../test/api-under-test.ts';
import { createCaller } from '../../test/caller.ts';

let api: ApiUnderTest;
let key: string;

beforeAll(async () => {
  api = await startApi({ settings: { MCP_EVENTS: true } });
  const call = createCaller(api.app, { base: api.base, token: api.managementToken });
  await call('put', `/environments/${api.environmentId}/agents`, { enabled: true });
  key = (await call('post', '/agent-keys', { name: 'agent', environmentId: api.environmentId })).body.key;
});
afterAll(() => api.stop());

const ask = (method: string, params: object) =>
  request(api.app)
    .post(`/mcp/events/${api.environmentId}`)
    .set('authorization', `Bearer ${key}`)
    .send({ jsonrpc: '2.0', id: 1, method, params });

test('each call that asks for events is counted by its result', async () => {
  expect((await ask('events/list', {})).body.result.events).toEqual([]);
  const delivery = {
    mode: 'webhook',
    url: 'https://agent.test/',
    secret: `whsec_${Buffer.alloc(32).toString('base64')}`,
  };
  expect((await ask('events/subscribe', { name: 'nothing.here', delivery })).body.error.code).toBe(-32_011);
  expect((await ask('events/subscribe', {})).body.error.code).toBe(-32_602);
  expect((await ask('events/unsubscribe', { name: 'nothing.here', delivery })).body.result).toEqual({});
  const { values } = await api.metrics.agentCalls.get();
  expect(values.map(({ labels, value }) => [labels.call, labels.result, value])).toEqual([
    ['list', 'ok', 1],
    ['subscribe', 'not_found', 1],
    ['subscribe', 'invalid', 1],
    ['unsubscribe', 'ok', 1],
  ]);
});
