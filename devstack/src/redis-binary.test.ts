import { expect, test } from '@jest/globals';
import { supportedVersion } from './redis-binary.ts';

test.each([
  ['Redis server v=6.2.0 sha=00000000:0 malloc=jemalloc-5.1.0 bits=64', 'Redis 6.2.0'],
  ['Redis server v=7.0.15 sha=00000000:0', 'Redis 7.0.15'],
  ['Redis server v=10.0.1', 'Redis 10.0.1'],
  ['Valkey server v=8.0.1 sha=00000000:0', 'Valkey 8.0.1'],
  ['Redis server v=6.0.16 sha=00000000:0', undefined],
  ['Redis server v=5.0.7', undefined],
  ['Valkey server v=7.0.0', undefined],
  ['command not found', undefined],
])('of %j the launcher takes %j: Redis 6.2 or later, or Valkey', (output, version) => {
  expect(supportedVersion(output)).toBe(version);
});
