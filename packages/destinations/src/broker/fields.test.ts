import { expect, test } from '@jest/globals';
import { makeOwnAuthority } from '@posthorn/testkit/own-authority';
import { ca } from './fields.ts';

test('the authority of a broker is a certificate without its private key, because the config is shown', async () => {
  const { cert, key } = await (await makeOwnAuthority()).issue();
  expect(ca.safeParse(cert).success).toBe(true);
  const { error } = ca.safeParse(`${cert}\n${key}`);
  expect(error?.issues.map(({ message }) => message)).toEqual(['must not have a private key: the config is shown']);
});
