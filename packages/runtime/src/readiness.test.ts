import { expect, test } from '@jest/globals';
import { systemClock } from './clock.ts';
import { createReadiness } from './readiness.ts';

test.each([
  [true, true, 200, 'ready'],
  [true, false, 200, 'degraded'],
  [false, true, 503, 'unavailable'],
  [false, false, 503, 'unavailable'],
])('postgres %p and redis %p answer %i %s', async (postgres, redis, httpStatus, status) => {
  const word = (up: boolean) => (up ? 'up' : 'down');
  const ping = (up: boolean) => () => (up ? Promise.resolve() : Promise.reject(new Error('away')));
  const stores = { pingPostgres: ping(postgres), pingRedis: ping(redis) };
  const ready = createReadiness({ ...stores, isMixed: () => false, clock: systemClock });
  expect(await ready()).toEqual({
    httpStatus,
    body: { status, dependencies: { postgres: word(postgres), redis: word(redis) }, queue: 'redis' },
  });
});

test.each([
  [true, 200, 'ready', 'up'],
  [false, 503, 'unavailable', 'down'],
])('without Redis, postgres %p alone decides', async (up, httpStatus, status, word) => {
  const pingPostgres = () => (up ? Promise.resolve() : Promise.reject(new Error('away')));
  const ready = createReadiness({ pingPostgres, isMixed: () => false, clock: systemClock });
  expect(await ready()).toEqual({
    httpStatus,
    body: { status, dependencies: { postgres: word, redis: 'unused' }, queue: 'postgres' },
  });
});

test('while other processes have their queues elsewhere, each answer says so', async () => {
  let isMixed = true;
  const ping = async () => {};
  const ofRedis = createReadiness({ pingPostgres: ping, pingRedis: ping, isMixed: () => isMixed, clock: systemClock });
  const ofPostgres = createReadiness({ pingPostgres: ping, isMixed: () => isMixed, clock: systemClock });
  const queues = async () => [(await ofRedis()).body.queue, (await ofPostgres()).body.queue];
  expect(await queues()).toEqual(['mixed', 'mixed']);
  isMixed = false;
  expect(await queues()).toEqual(['redis', 'postgres']);
});
