import { expect, test } from '@jest/globals';
import { hash } from '@node-rs/argon2';
import { hashPassword, hashPasswordForOther, NOBODYS_HASH, passwordMatches } from './password.ts';

test('the placeholder for a missing hash costs as much as a real hash, and matches nothing', async () => {
  const cost = (hash: string) => hash.split('$').slice(0, 4);
  expect(cost(NOBODYS_HASH)).toEqual(cost(await hashPassword('any')));
  expect(await passwordMatches(null, 'any')).toBe(false);
});

test('a password matches however a keyboard writes its letters, also by a hash of an older version', async () => {
  const [composed, decomposed] = ['Caf\u00e9 au lait 1', 'Cafe\u0301 au lait 1'];
  const hashed = await hashPassword(decomposed);
  expect(await passwordMatches(hashed, composed)).toBe(true);
  expect(await passwordMatches(hashed, decomposed)).toBe(true);
  const hashedAsTyped = await hash(decomposed);
  expect(await passwordMatches(hashedAsTyped, decomposed)).toBe(true);
  expect(await passwordMatches(hashedAsTyped, 'Cafe au lait 1')).toBe(false);
});

test('so many waiting checks that they would take seconds make another one unavailable, until they are done', async () => {
  // Two run and 200 wait.
  const checks = Array.from({ length: 202 }, () => passwordMatches(null, 'any'));
  await expect(passwordMatches(null, 'any')).rejects.toMatchObject({ code: 'unavailable' });
  await Promise.all(checks);
  expect(await passwordMatches(null, 'any')).toBe(false);
});

test('passwords that members give to others leave a turn for logins, and few of a workspace wait', async () => {
  let done = 0;
  const given = Array.from({ length: 100 }, async (_, n) => {
    await hashPasswordForOther(memberOf(`workspace ${n % 2}`), 'any');
    done += 1;
  });
  await expect(hashPasswordForOther(memberOf('workspace 1'), 'any')).rejects.toMatchObject({ code: 'rate_limited' });
  await passwordMatches(null, 'any');
  expect(done).toBeLessThan(50);
  await Promise.all(given);
  expect(await hashPasswordForOther(memberOf('workspace 0'), 'any')).toMatch(/^\$argon2id\$/);
});

function memberOf(workspaceId: string) {
  return { ownerId: workspaceId, workspaceId };
}
