import { expect, test } from '@jest/globals';
import { opensLoopback } from './demo-reach.ts';

test.each(['127.0.0.0/8,::1/128', '10.0.0.0/8, 127.0.0.1/32', '127.0.0.1', '0.0.0.0/0'])(
  'the demo runs if %j opens 127.0.0.1',
  (cidrs) => expect(opensLoopback(cidrs)).toBe(true),
);

test.each(['', '10.0.0.0/8', '::1/128', '127.0.0.2/32', 'nonsense', '127.0.0.1/99', '999.0.0.1/8'])(
  'the demo is skipped if %j does not open 127.0.0.1',
  (cidrs) => expect(opensLoopback(cidrs)).toBe(false),
);
