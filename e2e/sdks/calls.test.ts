import { expect, test } from '@jest/globals';
import { Posthorn } from '@posthorn/client';
import { startServices } from '../services-in-process.ts';
import { startConformanceServer } from './conformance-server.ts';
import { type Call, makeCall } from './typescript-caller.ts';

type Next = { call: Call } | { done: true; calls: number; faults: string[] };

test('the TypeScript library makes the calls of sdks/conformance/calls.json to a running Posthorn', async () => {
  const [stack, server] = await Promise.all([
    startServices({ dispatchers: 0, settings: { RATE_LIMIT_MANAGEMENT: '0' } }),
    startConformanceServer(),
  ]);
  try {
    const posthorn = new Posthorn({ baseUrl: stack.api.url, token: stack.managementToken, apiKey: stack.apiKey });
    let next = await server.post<Next>('/calls/begin', { environment: stack.environmentId });
    while ('call' in next) next = await server.post<Next>('/calls/next', await makeCall(posthorn, next.call));
    expect(next.faults).toEqual([]);
    expect(next.calls).toBeGreaterThanOrEqual(40);
  } finally {
    await Promise.all([stack.stop(), server.stop()]);
  }
}, 240_000);
