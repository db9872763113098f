import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createThrottle, type Throttle } from '@posthorn/queue/throttle';
import { testRedis } from '@posthorn/testkit/database';
import { waitFor } from '@posthorn/testkit/wait-for';
import type { TargetLimits } from '../deliver/endpoint-cache.ts';
import { createGate, type Entered, type Gate, type PutOffUntil } from './admit.ts';
import { createAdmission } from './slots.ts';

let throttle: Throttle;
beforeAll(async () => {
  throttle = createThrottle({ ...testRedis(), onError: () => {} });
  await waitFor(() => throttle.reserve('warm-up', { limit: 100, periodSeconds: 1 }), { what: 'a connection' });
});
afterAll(() => throttle.close());

const none: TargetLimits = { version: 1, timeoutSeconds: null, rateLimit: null, maxConcurrency: null };
const rateLimit = { limit: 1, periodSeconds: 100 };
let known: TargetLimits | undefined;
let endpointId: string;
let endpoints = 0;
beforeEach(() => {
  endpoints += 1;
  endpointId = `endpoint-${endpoints}`;
  known = none;
});

function createDispatcher(through = throttle): Gate {
  const admission = createAdmission({ places: 100, clock: performanceClock, random: () => 0.5 });
  const limitsOf = async () => known;
  return createGate({ admission, throttle: through, limitsOf, random: () => 0.5, defaultTimeoutSeconds: 15 });
}

const performanceClock = { monotonicMs: () => performance.now() };
const job = (given = {}) => ({ deliveryId: 'd', eventId: 'e', endpointId, workspaceId: 'w', ...given });

async function enter(gate: Gate, given = {}): Promise<Entered> {
  const entry = await gate.enter(job(given));
  if (entry.kind !== 'entered') throw new Error(`put off: ${entry.reason}`);
  return entry;
}

async function putOff(gate: Gate, given = {}): Promise<PutOffUntil> {
  const entry = await gate.enter(job(given));
  if (entry.kind !== 'put_off') throw new Error('entered');
  return entry;
}

describe('a rate limit', () => {
  beforeEach(() => {
    known = { ...none, rateLimit };
  });

  test('puts off to a time of its own, at which the delivery comes in', async () => {
    const gate = createDispatcher();
    await enter(gate);
    const refused = await putOff(gate);
    expect(refused).toMatchObject({ reason: 'rate_limit', reservedAtMs: expect.any(Number) });
    expect(refused.delaySeconds).toBeGreaterThan(95);
    expect(await gate.enter(job({ reservedAtMs: Date.now() }))).toMatchObject({ kind: 'entered' });
  });

  test('keeps the time that was set aside for who is put off by something else meanwhile', async () => {
    const gate = createDispatcher();
    const reservedAtMs = Date.now() + 200;
    known = { ...none, maxConcurrency: 1 };
    const inside = await enter(gate);
    known = { ...none, maxConcurrency: 1, rateLimit };
    const refused = await putOff(gate, { reservedAtMs });
    expect(refused).toMatchObject({ reason: expect.stringMatching(/^(max_concurrency|endpoint)$/), reservedAtMs });
    inside.leave();
    const comesBack = () => gate.enter(job({ reservedAtMs: refused.reservedAtMs }));
    await waitFor(async () => (await comesBack()).kind === 'entered', { what: 'its time' });
  });

  test('past ten minutes puts off for five to ten, with no time set aside', async () => {
    const gate = createDispatcher();
    known = { ...none, rateLimit: { limit: 1, periodSeconds: 3_600 } };
    await enter(gate);
    expect(await putOff(gate)).toEqual({ kind: 'put_off', reason: 'rate_limit', delaySeconds: 450 });
  });

  test('that was not known before the claim is charged after it, once', async () => {
    const gate = createDispatcher();
    known = undefined;
    const [first, second] = [await enter(gate), await enter(gate)];
    expect(await first.confirm({ ...none, version: 2, rateLimit })).toBeUndefined();
    expect(await first.confirm({ ...none, version: 3, rateLimit })).toBeUndefined();
    expect(await second.confirm({ ...none, version: 2, rateLimit })).toMatchObject({ reason: 'rate_limit' });
  });

  test('that was known is not charged again after the claim', async () => {
    const gate = createDispatcher();
    const entry = await enter(gate);
    expect(await entry.confirm({ ...none, rateLimit })).toBeUndefined();
  });
});

describe('maxConcurrency', () => {
  beforeEach(() => {
    known = { ...none, maxConcurrency: 2 };
  });

  test('holds over all dispatchers; a place that is left is free for another', async () => {
    const [one, two] = [createDispatcher(), createDispatcher()];
    const first = await enter(one);
    await enter(two);
    expect(await putOff(two)).toMatchObject({ reason: 'max_concurrency' });
    first.leave();
    await waitFor(async () => (await two.enter(job())).kind === 'entered', { what: 'the place to be free' });
  });

  test('is not used up by who is put off by the rate', async () => {
    const gate = createDispatcher();
    known = { ...none, maxConcurrency: 2, rateLimit };
    (await enter(gate)).leave();
    for (let n = 0; n < 5; n += 1) expect(await putOff(gate)).toMatchObject({ reason: 'rate_limit' });
  });
});

test('while Redis is away, what must be asked there fails, and no place is lost; the rest goes on', async () => {
  const away = createThrottle({ redisUrl: 'redis://127.0.0.1:9', prefix: 'p', onError: () => {} });
  const gate = createDispatcher(away);
  known = { ...none, rateLimit };
  for (let n = 0; n < 30; n += 1) await expect(gate.enter(job())).rejects.toThrow();
  known = none;
  await enter(gate);
  away.close();
});
