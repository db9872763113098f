import { expect, test } from '@jest/globals';
import { basicCredentials } from './basic-credentials.ts';

function pairOf(value: string): [id: string, secret: string] {
  const pair = Buffer.from(value.slice('Basic '.length), 'base64').toString();
  const colon = pair.indexOf(':');
  return [pair.slice(0, colon), pair.slice(colon + 1)];
}

const decoded = (text: string) => new URLSearchParams(`x=${text.replaceAll('&', '%26')}`).get('x');

test('a server that compares the id and the secret as they came accepts every printable character but % and +', () => {
  const secret = `abcXYZ019-._~!*'()/=:;,?@&$#[]{}|\\^\`"<>`;
  expect(pairOf(basicCredentials('shop-1_2.3~4', secret))).toEqual(['shop-1_2.3~4', secret]);
});

test.each([
  ['every printable character', String.fromCharCode(...Array.from({ length: 95 }, (_, n) => 32 + n))],
  ['letters of other languages', 'pässword 語 😀'],
])('a server that decodes the id and the secret gets %s', (_what, secret) => {
  expect(pairOf(basicCredentials(secret, secret)).map(decoded)).toEqual([secret, secret]);
});
