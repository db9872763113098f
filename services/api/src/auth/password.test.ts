import { expect, test } from '@jest/globals';
import { hashPassword, NOBODYS_HASH, passwordMatches } from './password.ts';

test('the placeholder for a missing hash costs as much as a real hash, and matches nothing', async () => {
  const cost = (hash: string) => hash.split('$').slice(0, 4);
  expect(cost(NOBODYS_HASH)).toEqual(cost(await hashPassword('any')));
  expect(await passwordMatches(null, 'any')).toBe(false);
});

test('so many waiting checks that they would take seconds make another one unavailable, until they are done', async () => {
  // Two run and 200 wait.
  const checks = Array.from({ length: 202 }, () => passwordMatches(null, 'any'));
  await expect(passwordMatches(null, 'any')).rejects.toMatchObject({ code: 'unavailable' });
  await Promise.all(checks);
  expect(await passwordMatches(null, 'any')).toBe(false);
});
