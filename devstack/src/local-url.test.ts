import { expect, test } from '@jest/globals';
import { localUrl } from './local-url.ts';

test.each([
  [undefined, 'http://127.0.0.1:3000'],
  ['0.0.0.0', 'http://127.0.0.1:3000'],
  ['::', 'http://127.0.0.1:3000'],
  ['::1', 'http://[::1]:3000'],
  ['192.168.1.5', 'http://192.168.1.5:3000'],
])('services that listen on %s are reached at %s', (address, url) => {
  expect(localUrl(address === undefined ? {} : { LISTEN_ADDRESS: address }, 3_000)).toBe(url);
});
