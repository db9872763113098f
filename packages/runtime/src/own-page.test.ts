import { expect, test } from '@jest/globals';
import { isFromOwnPage } from './own-page.ts';

const host = 'board.example.com:9465';

test.each([
  ['a page of the server, as browsers of today say', { 'sec-fetch-site': 'same-origin' }, true],
  ['an address that a person typed', { 'sec-fetch-site': 'none' }, true],
  ['a page of the server, by its origin', { origin: `http://${host}` }, true],
  ['a page of the server under its other name', { origin: 'https://hooks.example.com' }, true],
  ['no page', {}, true],
  ['a page of a sibling domain', { 'sec-fetch-site': 'same-site', origin: `http://${host}` }, false],
  ['a page of another site', { 'sec-fetch-site': 'cross-site' }, false],
  ['a page of another port', { origin: 'http://board.example.com:80' }, false],
  ['a page that hides its origin', { origin: 'null' }, false],
])('%s may ask for a change: %#', (_what, headers, expected) => {
  expect(isFromOwnPage({ host, ...headers }, 'hooks.example.com')).toBe(expected);
});
