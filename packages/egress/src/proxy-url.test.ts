import { expect, test } from '@jest/globals';
import { parseProxyUrl } from './proxy-url.ts';

test.each([
  ['http://proxy.internal:3128', { isTls: false, host: 'proxy.internal', port: 3_128, authorization: null }],
  ['http://proxy.internal/', { isTls: false, host: 'proxy.internal', port: 80, authorization: null }],
  ['https://[fd00::1]', { isTls: true, host: 'fd00::1', port: 443, authorization: null }],
  [
    'https://us%40er:p%25%3Aw@proxy:8443',
    { isTls: true, host: 'proxy', port: 8_443, authorization: `Basic ${btoa('us@er:p%:w')}` },
  ],
])('%s is read', (text, expected) => {
  expect(parseProxyUrl(text)).toEqual(expected);
});

test.each([
  ['socks5://proxy:1080', 'must be an http or https URL'],
  ['proxy:3128', 'must be an http or https URL'],
  ['http://proxy:99999', 'must be an http or https URL'],
  ['http://proxy:3128/path', 'must end after the port'],
  ['http://proxy:3128/?a=1', 'must end after the port'],
  ['http://canary%zz:x@proxy:3128', 'must have % only before two hexadecimal digits'],
])('%s is refused, and no part of it is repeated', (text, rule) => {
  expect(() => parseProxyUrl(text)).toThrow(rule);
  expect(() => parseProxyUrl(text)).not.toThrow('canary');
});
