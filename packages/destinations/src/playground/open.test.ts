import { expect, test } from '@jest/globals';
import { parseAllowedCidrs } from '@posthorn/egress/address-rules';
import { systemClock } from '@posthorn/runtime/clock';
import type { SendRequest } from '../kind.ts';
import { requireKind } from '../kinds.ts';
import type { PlaygroundSettings } from './describe.ts';
import { open } from './open.ts';

const newPlayground = () => open({ rules: parseAllowedCidrs(''), clock: systemClock });

function request(settings: PlaygroundSettings, { attemptNumber = 1, timeoutMs = 1_000 } = {}): SendRequest {
  const url = 'https://playground.invalid/ep_1';
  const [kind, endpointId] = [requireKind('playground'), 'ep'];
  return {
    place: { kind, endpointId, owner: 'ws_1', revision: 'r', url, settings, credentials: {} },
    message: { deliveryId: 'dlv', eventId: 'msg', eventType: null, orderingKey: null, attemptNumber },
    ...{ url, headers: {}, body: Buffer.from('{}'), timeoutMs },
  };
}

const noPhases = { timings: { dnsMs: null, connectMs: null, tlsMs: null, ttfbMs: null }, remoteAddress: null };

test.each([
  [{}, 1, { status: 200, body: '' }],
  [{ status: 204, body: 'thanks' }, 1, { status: 204, body: 'thanks' }],
  [{ failFirst: 2 }, 2, { status: 500, body: '' }],
  [{ failFirst: 2, status: 201 }, 3, { status: 201, body: '' }],
])(
  'with the config %j attempt %i is answered with %j, without an address or phases',
  async (config, attemptNumber, { status, body }) => {
    const result = await newPlayground().send(request(config, { attemptNumber }));
    expect(result).toMatchObject({ kind: 'response', status, body: Buffer.from(body), ...noPhases });
  },
);

test('of a longer body the first 16 KiB are kept, as of any answer', async () => {
  const body = `${'x'.repeat(16_384)}y`;
  const whole = await newPlayground().send(request({ body: body.slice(0, -1) }));
  expect(whole).toMatchObject({ body: Buffer.from(body.slice(0, -1)), truncated: false });
  const cut = await newPlayground().send(request({ body }));
  expect(cut).toMatchObject({ body: Buffer.from(body.slice(0, -1)), truncated: true });
});

test('an answer later than the timeout is a timeout', async () => {
  const result = await newPlayground().send(request({ delayMs: 10_000 }, { timeoutMs: 20 }));
  expect(result).toMatchObject({ kind: 'error', errorCode: 'timeout', response: null, ...noPhases });
});

test('an abort ends a waiting playground, and every later request', async () => {
  const playground = newPlayground();
  const waiting = playground.send(request({ delayMs: 10_000 }, { timeoutMs: 30_000 }));
  playground.abortAll();
  expect(await waiting).toEqual({ kind: 'aborted' });
  expect(await playground.send(request({}))).toEqual({ kind: 'aborted' });
});
