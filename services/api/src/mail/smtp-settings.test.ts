import { expect, test } from '@jest/globals';
import { checkEhloName, parseSender, parseSmtpUrl, usualEhloName, usualSender } from './smtp-settings.ts';

test.each([
  ['smtp://mail.example.com', { host: 'mail.example.com', port: 587, isTls: false, mustUpgrade: false }],
  ['smtps://mail.example.com', { port: 465, isTls: true, mustUpgrade: false }],
  ['smtp://[::1]:2525', { host: '::1', port: 2525 }],
  ['smtp://ann%40a.example:p%2Fw@mail.example.com:25', { port: 25, login: { user: 'ann@a.example', password: 'p/w' } }],
])('%s is read', (text, expected) => {
  expect(parseSmtpUrl(text)).toMatchObject(expected);
});

test('a password needs TLS, unless it stays on this machine', () => {
  const mustUpgrade = (host: string) => parseSmtpUrl(`smtp://user:password@${host}`).mustUpgrade;
  const hosts = ['mail.example.com', '10.0.0.1', 'localhost', '127.0.0.1:1025', '[::1]'];
  expect(hosts.map(mustUpgrade)).toEqual([true, true, false, false, false]);
});

test.each([
  ['mail.example.com', 'must be an smtp or smtps URL'],
  ['http://mail.example.com', 'must be an smtp or smtps URL'],
  ['smtp://', 'must name a host'],
  ['smtp://user@mail.example.com', 'must have both a user and a password, or neither'],
  ['smtp://mail.example.com/?pool=true', 'must end with the host or its port'],
])('%s is refused: %s', (text, message) => {
  expect(() => parseSmtpUrl(text)).toThrow(message);
});

test('a sender has a name or none', () => {
  expect(parseSender('Alerts of Acme <alerts@example.com>')).toEqual({
    name: 'Alerts of Acme',
    address: 'alerts@example.com',
  });
  expect(parseSender('alerts@example.com')).toEqual({ name: '', address: 'alerts@example.com' });
  expect(usualSender('https://hooks.example.com/base')).toEqual({
    name: 'Posthorn',
    address: 'posthorn@hooks.example.com',
  });
});

test.each(['', 'nobody', 'a <b>', 'a\r\nBcc: x <a@example.com>', 'a <a@example.com> b', '"a" <a@example.com>'])(
  'the sender %j is refused',
  (text) => {
    expect(() => parseSender(text)).toThrow('must be an email address');
  },
);

test.each([
  ['https://hooks.example.com/base', 'hooks.example.com'],
  ['http://localhost:3000', 'mail.example.com'],
  ['https://203.0.113.7', 'mail.example.com'],
  ['https://[2001:db8::1]:8443', 'mail.example.com'],
])('at %s the installation names itself %s to the mail server', (baseUrl, name) => {
  expect(usualEhloName(baseUrl, { name: '', address: 'alerts@mail.example.com' })).toBe(name);
});

test.each(['', 'a b', 'hooks.example.com\r\nRCPT TO:<x@example.com>', '-.', `${'a'.repeat(64)}.example`])(
  'the name %j is refused',
  (text) => {
    expect(() => checkEhloName(text)).toThrow('must be a host name');
  },
);
