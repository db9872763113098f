import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createThrottle } from '@posthorn/queue/redis/throttle';
import type { Throttle } from '@posthorn/queue/throttle';
import { systemClock } from '@posthorn/runtime/clock';
import { testRedis } from '@posthorn/testkit/database';
import { waitFor } from '@posthorn/testkit/wait-for';
import { type Admit, type Admitted, createAdmit, type EndpointLimits, type Refused } from './admit.ts';
import { createSlots, type Slots } from './slots.ts';

let throttle: Throttle;
beforeAll(async () => {
  throttle = createThrottle({ ...testRedis(), onError: () => {} });
  await waitFor(() => throttle.takeTime('warm-up', { limit: 100, periodSeconds: 1 }), { what: 'a connection' });
});
afterAll(() => throttle.close());

const none: EndpointLimits = { revision: 'first', timeoutSeconds: null, rateLimit: null, maxConcurrency: null };
const rateLimit = { limit: 1, periodSeconds: 100 };
let known: EndpointLimits | undefined;
let endpointId: string;
let endpoints = 0;
let hurried: string[];
beforeEach(() => {
  endpoints += 1;
  hurried = [];
  endpointId = `endpoint-${endpoints}`;
  known = none;
});

/** Time stands still, because a long attempt would change its endpoint's pace. */
const clock = { ...systemClock, monotonicMs: () => 0 };
const newSlots = () => createSlots({ slots: 100, clock, random: () => 0.5 });

/** The admission of one dispatcher. */
function createDispatcher({ through = throttle, slots = newSlots() }: { through?: Throttle; slots?: Slots } = {}) {
  const limitsOf = async () => known;
  const hurryLine = (id: string) => void hurried.push(id);
  return createAdmit({ slots, throttle: through, clock, hurryLine, limitsOf, defaultTimeoutSeconds: 15 });
}

const job = (given = {}) => ({ deliveryId: 'd', eventId: 'e', endpointId, workspaceId: 'w', ...given });

async function admitted(admit: Admit, given = {}): Promise<Admitted> {
  const answer = await admit(job(given));
  if (answer.kind !== 'admitted') throw new Error(`refused: ${answer.reason}`);
  return answer;
}

async function refused(admit: Admit, given = {}): Promise<Refused> {
  const answer = await admit(job(given));
  if (answer.kind !== 'refused') throw new Error('admitted');
  return answer;
}

test.each([
  ['the revision of the endpoint whose limits were applied', { ...none, revision: 'seventh' }, 'seventh'],
  ['no revision where there is no such endpoint', undefined, undefined],
])('answers %s', async (_case, limits, endpointRevision) => {
  known = limits;
  expect(await admitted(createDispatcher())).toMatchObject({ endpointRevision });
});

describe('a rate limit', () => {
  beforeEach(() => {
    known = { ...none, rateLimit };
  });

  test('lets a delivery enter the line of the endpoint, and names the time of its next turn', async () => {
    const admit = createDispatcher();
    await admitted(admit);
    const answer = await refused(admit);
    expect(answer).toMatchObject({ reason: 'rate_limit', entersLine: true });
    expect(answer.delaySeconds).toBeGreaterThan(95);
  });

  test('is shared by all dispatchers', async () => {
    await admitted(createDispatcher());
    expect(await refused(createDispatcher())).toMatchObject({ reason: 'rate_limit' });
  });
});

describe('maxConcurrency', () => {
  beforeEach(() => {
    known = { ...none, maxConcurrency: 2 };
  });

  test('holds over all dispatchers; a released slot can be taken by another', async () => {
    const [one, two] = [createDispatcher(), createDispatcher()];
    const first = await admitted(one);
    await admitted(two);
    expect(await refused(two)).toMatchObject({ reason: 'max_concurrency' });
    first.release();
    await waitFor(() => hurried.length === 1, { what: 'the turn of the line' });
    throttle.forgetLine(endpointId);
    await waitFor(async () => (await two(job())).kind === 'admitted', { what: 'the slot to be free' });
  });

  test('is not used up by deliveries that the rate limit refuses', async () => {
    const admit = createDispatcher();
    known = { ...none, maxConcurrency: 2, rateLimit };
    (await admitted(admit)).release();
    for (let n = 0; n < 5; n += 1) expect(await refused(admit)).toMatchObject({ reason: 'rate_limit' });
  });
});

test('a delivery that finds no slot in this process uses neither a shared slot nor a time of the rate limit', async () => {
  // A new endpoint gets one slot of four.
  const slots = createSlots({ slots: 4, clock, random: () => 0.5 });
  const admit = createDispatcher({ slots });
  await admitted(admit);
  known = { ...none, maxConcurrency: 1, rateLimit };
  expect(await refused(admit)).toMatchObject({ reason: 'endpoint' });
  await admitted(createDispatcher());
});

test('at an endpoint with maxConcurrency, a delivery that finds no slot in this process enters the line', async () => {
  const slots = createSlots({ slots: 4, clock, random: () => 0.5 });
  const admit = createDispatcher({ slots });
  known = { ...none, maxConcurrency: 100 };
  await admitted(admit);
  expect(await refused(admit)).toMatchObject({ reason: 'endpoint', entersLine: true });
});

test('the outcome of a released slot updates the endpoint’s pace', async () => {
  const slots = newSlots();
  const admit = createDispatcher({ slots });
  (await admitted(admit)).release({ succeeded: true, durationMs: 20 });
  // A quick endpoint may take half of the slots; a new one may take four.
  for (let n = 0; n < 50; n += 1) await admitted(admit);
});

test('while Redis is away, admission rejects for an endpoint with limits and holds no slot; the others are admitted', async () => {
  const away = createThrottle({ redisUrl: 'redis://127.0.0.1:9', prefix: 'p', onError: () => {} });
  const admit = createDispatcher({ through: away });
  for (const limits of [{ rateLimit }, { maxConcurrency: 1 }]) {
    known = { ...none, ...limits };
    for (let n = 0; n < 30; n += 1) await expect(admit(job())).rejects.toThrow();
  }
  known = none;
  await admitted(admit);
  away.close();
});
