import { expect, test } from '@jest/globals';
import { safeReturnTo } from './safe-return-to.ts';

test.each(['/w/acme/production/deliveries?status=failed', '/'])('the login returns to %s', (path) => {
  expect(safeReturnTo(path)).toBe(path);
});

test.each(['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)', '/login', undefined, 7])(
  'the login does not lead to %s',
  (value) => {
    expect(safeReturnTo(value)).toBe('/');
  },
);
