import { describe, expect, test } from '@jest/globals';
import { parseAllowedCidrs } from './address-rules.ts';
import { createLookup } from './lookup.ts';
import type { ResolvedAddress } from './resolve-name.ts';

const closed = parseAllowedCidrs('');

/** A name server and a clock that the test controls. */
function setUp(rules = closed) {
  const asked: string[] = [];
  const world = {
    asked,
    nowMs: 1_000,
    answer: (async () => [address('8.8.8.8')]) as (hostname: string) => Promise<ResolvedAddress[]>,
  };
  const lookup = createLookup({
    rules,
    clock: { monotonicMs: () => world.nowMs },
    resolve: (hostname) => {
      asked.push(hostname);
      return world.answer(hostname);
    },
  });
  return { world, lookup };
}

describe('the addresses of a name', () => {
  test('public addresses are returned in their order', async () => {
    const { world, lookup } = setUp();
    world.answer = async () => [address('8.8.8.8'), address('2606:4700::1')];
    expect(await lookup('example.com')).toEqual({
      kind: 'ok',
      addresses: [
        { address: '8.8.8.8', family: 4 },
        { address: '2606:4700::1', family: 6 },
      ],
    });
  });

  test.each([['10.0.0.1'], ['::1'], ['::ffff:127.0.0.1'], ['fe80::1%eth0']])(
    'one forbidden address among the answers, %s, refuses the whole name, in any position',
    async (forbidden) => {
      for (const answer of [
        [forbidden],
        [forbidden, '8.8.8.8'],
        ['8.8.8.8', forbidden],
        ['8.8.8.8', '2606:4700::1', forbidden, '1.1.1.1'],
      ]) {
        const { world, lookup } = setUp();
        world.answer = async () => answer.map((text) => address(text));
        expect(await lookup('example.com')).toEqual({ kind: 'blocked', address: forbidden });
      }
    },
  );

  test('an opened address is no longer forbidden', async () => {
    const { world, lookup } = setUp(parseAllowedCidrs('10.0.0.0/8'));
    world.answer = async () => [address('10.0.0.1')];
    expect(await lookup('internal.example')).toMatchObject({ kind: 'ok' });
  });

  test('each of thousands of addresses is checked: a forbidden one behind them refuses the name', async () => {
    const { world, lookup } = setUp();
    world.answer = async () => [...publicAddresses(4_000), address('10.0.0.1')];
    expect(await lookup('example.com')).toEqual({ kind: 'blocked', address: '10.0.0.1' });
  });

  test.each([
    [4_000, 0, 64, 0],
    [0, 2_000, 0, 64],
    [4_000, 2_000, 32, 32],
    [4_000, 1, 63, 1],
    [3, 2_000, 3, 61],
    [30, 30, 30, 30],
  ])('of %i IPv4 and %i IPv6 addresses, the first %i and %i are returned', async (four, six, fourKept, sixKept) => {
    const { world, lookup } = setUp();
    world.answer = async () => [...publicAddresses(four), ...publicAddresses(six, '2606:4700::')];
    const found = await lookup('example.com');
    expect(found.kind === 'ok' && found.addresses.map((one) => one.address)).toEqual(
      [...publicAddresses(fourKept), ...publicAddresses(sixKept, '2606:4700::')].map((one) => one.address),
    );
  });

  test('the time to live of an address that is not returned counts as well', async () => {
    const { world, lookup } = setUp();
    world.answer = async () => [...publicAddresses(64), address('1.1.1.1', 5)];
    await lookup('example.com');
    world.nowMs += 5_000;
    await lookup('example.com');
    expect(world.asked).toHaveLength(2);
  });

  test('an error of the name server is returned by its code, and an empty answer as ENODATA', async () => {
    const { world, lookup } = setUp();
    world.answer = () => Promise.reject(Object.assign(new Error('no'), { code: 'ESERVFAIL' }));
    expect(await lookup('one.example')).toEqual({ kind: 'failed', code: 'ESERVFAIL' });
    world.answer = () => Promise.reject(new Error('no'));
    expect(await lookup('two.example')).toEqual({ kind: 'failed', code: 'EUNKNOWN' });
    world.answer = async () => [];
    expect(await lookup('three.example')).toEqual({ kind: 'failed', code: 'ENODATA' });
  });
});

describe('without a DNS query', () => {
  test.each(['8.8.8.8', '2606:4700::1', '[2606:4700::1]'])('the literal %s is returned unchanged', async (host) => {
    const { world, lookup } = setUp();
    const address = host.replace(/[[\]]/g, '');
    expect(await lookup(host)).toEqual({ kind: 'ok', addresses: [{ address, family: address === '8.8.8.8' ? 4 : 6 }] });
    expect(world.asked).toEqual([]);
  });

  test.each(['127.0.0.1', '[::1]', '169.254.169.254', 'localhost', 'LOCALHOST.', 'a.b.localhost'])(
    '%s is blocked',
    async (host) => {
      const { world, lookup } = setUp();
      expect(await lookup(host)).toMatchObject({ kind: 'blocked' });
      expect(world.asked).toEqual([]);
    },
  );

  test('localhost gives the loopback addresses that are open', async () => {
    const all = setUp(parseAllowedCidrs('127.0.0.0/8,::1'));
    const four = { address: '127.0.0.1', family: 4 };
    const six = { address: '::1', family: 6 };
    expect(await all.lookup('localhost')).toEqual({ kind: 'ok', addresses: [four, six] });
    const some = setUp(parseAllowedCidrs('127.0.0.0/8'));
    expect(await some.lookup('localhost')).toEqual({ kind: 'ok', addresses: [four] });
  });
});

describe('the time for which an answer is cached', () => {
  test.each([
    [7, 7],
    [60, 60],
    [86_400, 60],
  ])('one with a time to live of %d s is cached for %d s', async (ttlSeconds, keptSeconds) => {
    const { world, lookup } = setUp();
    world.answer = async () => [address('8.8.8.8', ttlSeconds)];
    await lookup('example.com');
    world.nowMs += keptSeconds * 1_000 - 1;
    await lookup('EXAMPLE.com');
    expect(world.asked).toHaveLength(1);
    world.nowMs += 1;
    await lookup('example.com');
    expect(world.asked).toHaveLength(2);
  });

  test('the shortest time to live among the addresses counts', async () => {
    const { world, lookup } = setUp();
    world.answer = async () => [address('8.8.8.8', 30), address('1.1.1.1', 5)];
    await lookup('example.com');
    world.nowMs += 5_000;
    await lookup('example.com');
    expect(world.asked).toHaveLength(2);
  });

  test('an answer that may not be cached is queried each time', async () => {
    const { world, lookup } = setUp();
    world.answer = async () => [address('8.8.8.8', 0)];
    await lookup('example.com');
    await lookup('example.com');
    expect(world.asked).toHaveLength(2);
  });

  test('a refusal is cached like any answer, a failure for a second', async () => {
    const { world, lookup } = setUp();
    world.answer = async () => [address('10.0.0.1', 10)];
    await lookup('blocked.example');
    world.answer = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
    await lookup('missing.example');
    world.nowMs += 999;
    expect(await lookup('blocked.example')).toMatchObject({ kind: 'blocked' });
    expect(await lookup('missing.example')).toMatchObject({ kind: 'failed' });
    expect(world.asked).toHaveLength(2);
    world.nowMs += 1;
    world.answer = async () => [address('8.8.8.8')];
    expect(await lookup('missing.example')).toMatchObject({ kind: 'ok' });
  });

  test('equal queries at the same time are one query', async () => {
    const { world, lookup } = setUp();
    world.answer = async () => [address('8.8.8.8', 0)];
    const answers = await Promise.all(Array.from({ length: 50 }, () => lookup('example.com')));
    expect(world.asked).toHaveLength(1);
    expect(new Set(answers.map((answer) => answer.kind))).toEqual(new Set(['ok']));
  });

  test('a new answer is checked again: a name that changed to a forbidden address is refused', async () => {
    const { world, lookup } = setUp();
    world.answer = async () => [address('8.8.8.8', 1)];
    expect(await lookup('rebinding.example')).toMatchObject({ kind: 'ok' });
    world.answer = async () => [address('127.0.0.1', 1)];
    world.nowMs += 1_000;
    expect(await lookup('rebinding.example')).toMatchObject({ kind: 'blocked' });
  });

  test('of more than 1,000 names the oldest is removed', async () => {
    const { world, lookup } = setUp();
    for (let number = 0; number <= 1_000; number += 1) await lookup(`${number}.example`);
    await lookup('1000.example');
    await lookup('1.example');
    expect(world.asked).toHaveLength(1_001);
    await lookup('0.example');
    expect(world.asked).toHaveLength(1_002);
  });
});

function address(text: string, ttlSeconds = 60): ResolvedAddress {
  return { address: text, family: text.includes(':') ? 6 : 4, ttlSeconds };
}

function publicAddresses(count: number, network: '8.8.' | '2606:4700::' = '8.8.'): ResolvedAddress[] {
  const host = (n: number) => (network === '8.8.' ? `${n >> 8}.${n & 255}` : n.toString(16));
  return Array.from({ length: count }, (_, n) => address(`${network}${host(n)}`));
}
