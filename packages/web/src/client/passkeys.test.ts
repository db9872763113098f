import { expect, test } from '@jest/globals';
import { namelessPage } from './passkeys.ts';

test.each([
  'http://localhost:3000/account',
  'https://hooks.example.com/',
  'https://1.example.com/',
  'http://a.localhost/',
])('a passkey can be used at %s, which has a name', (address) => {
  expect(namelessPage(address)).toBeUndefined();
});

test.each([
  ['http://127.0.0.1:3000/login?returnTo=%2Fdevice#a', 'http://localhost:3000/login?returnTo=%2Fdevice#a'],
  ['http://[::1]:3000/account', 'http://localhost:3000/account'],
])('at %s no passkey can be used; the same page at localhost is named', (address, named) => {
  expect(namelessPage(address)).toEqual({ named });
});

test.each(['https://192.168.1.5/account', 'https://[fd00::7]:3000/account', 'https://12.7.0.1/'])(
  'at %s no passkey can be used, and no other address is known',
  (address) => {
    expect(namelessPage(address)).toEqual({ named: undefined });
  },
);
