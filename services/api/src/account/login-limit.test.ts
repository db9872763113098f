import { beforeEach, expect, test } from '@jest/globals';
import { systemClock } from '@posthorn/runtime/clock';
import { createLoginLimit, type LoginLimit } from './login-limit.ts';

/** The count over all addresses is tested in failed-logins.test.ts. */
const noTries = { begin: async () => ({ forgive: async () => {} }) };

let nowMs: number;
let limit: LoginLimit;
beforeEach(() => {
  nowMs = 1_000_000;
  limit = createLoginLimit({ ...systemClock, monotonicMs: () => nowMs }, noTries);
});

const tryOnce = (account: string, address: string, user?: string) =>
  limit
    .attempt({ account, address }, async () => user)
    .then(
      (found) => found ?? 'wrong',
      (error: { code: string; headers: Record<string, string> }) => Number(error.headers['Retry-After']),
    );

async function failTimes(count: number, account: (index: number) => string, address: string) {
  for (let index = 0; index < count; index += 1) expect(await tryOnce(account(index), address)).toBe('wrong');
}

test('an account is refused from one address after 10 failures, until the oldest is 15 minutes old', async () => {
  await failTimes(10, () => 'a', '1.1.1.1');
  nowMs += 60_000;
  expect(await tryOnce('a', '1.1.1.1', 'ann')).toBe(840);
  expect(await tryOnce('a', '2.2.2.2', 'ann')).toBe('ann');
  expect(await tryOnce('b', '1.1.1.1', 'bob')).toBe('bob');
  nowMs += 840_000;
  expect(await tryOnce('a', '1.1.1.1', 'ann')).toBe('ann');
});

test('an address is refused after 100 failures of any accounts, until the oldest is an hour old', async () => {
  await failTimes(100, (index) => `account-${index}`, '1.1.1.1');
  expect(await tryOnce('another', '1.1.1.1', 'ann')).toBe(3_600);
  expect(await tryOnce('another', '2.2.2.2', 'ann')).toBe('ann');
  nowMs += 3_600_000;
  expect(await tryOnce('another', '1.1.1.1', 'ann')).toBe('ann');
});

test('successes and refusals do not count', async () => {
  await failTimes(9, () => 'a', '1.1.1.1');
  for (let index = 0; index < 200; index += 1) expect(await tryOnce('a', '1.1.1.1', 'ann')).toBe('ann');
  await failTimes(1, () => 'a', '1.1.1.1');
  for (let index = 0; index < 200; index += 1) expect(await tryOnce('a', '1.1.1.1')).toBe(900);
  nowMs += 900_000;
  expect(await tryOnce('a', '1.1.1.1', 'ann')).toBe('ann');
});

test('however many attempts fail at once, no more than the limit are checked', async () => {
  const answers = await Promise.all(Array.from({ length: 50 }, () => tryOnce('a', '1.1.1.1')));
  expect(answers.filter((answer) => answer === 'wrong')).toHaveLength(10);
});

test('a check that throws does not count as a failure, and the next attempt is allowed', async () => {
  const broken = () => Promise.reject(new Error('Postgres is away'));
  for (let index = 0; index < 20; index += 1) {
    await expect(limit.attempt({ account: 'a', address: '1.1.1.1' }, broken)).rejects.toThrow('Postgres is away');
  }
  expect(await tryOnce('a', '1.1.1.1', 'ann')).toBe('ann');
});

test.each([
  ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', true],
  ['2001:0db8:0001:0002::1', '2001:db8:1:2:3:4:5:6', true],
  ['::1', '::2', true],
  ['fe80::1%eth0', 'fe80::2', true],
  ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
  ['::ffff:1.1.1.1', '1.1.1.1', true],
  ['::ffff:1.1.1.1', '::ffff:1.1.1.2', false],
])('the addresses %s and %s are one caller: %s', async (one, other, same) => {
  await failTimes(10, () => 'a', one);
  expect(await tryOnce('a', other, 'ann')).toBe(same ? 900 : 'ann');
});

test('the failures of 10,000 accounts and addresses are kept, and beyond that the oldest are forgotten', async () => {
  await failTimes(10, () => 'a', '1.1.1.1');
  const network = (index: number) => `2001:db8:${Math.floor(index / 256)}:${index % 256}::1`;
  for (let index = 0; index < 9_999; index += 1) await tryOnce('a', network(index));
  expect(await tryOnce('a', '1.1.1.1', 'ann')).toBe(900);
  await tryOnce('a', network(9_999));
  expect(await tryOnce('a', '1.1.1.1', 'ann')).toBe('ann');
});
