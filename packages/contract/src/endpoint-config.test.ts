import { expect, test } from '@jest/globals';
import { endpointConfig } from './endpoint-config.ts';

test.each([
  { rateLimit: { limit: 1, periodSeconds: 1 } },
  { rateLimit: { limit: 10_000, periodSeconds: 3_600 } },
  { maxConcurrency: 1 },
  { maxConcurrency: 100 },
])('%j is accepted unchanged', (config) => {
  expect(endpointConfig.parse(config)).toEqual(config);
});

test.each([
  [{ rateLimit: null }, ['rateLimit']],
  [{ rateLimit: 5 }, ['rateLimit']],
  [{ rateLimit: {} }, ['rateLimit', 'limit']],
  [{ rateLimit: { limit: 5 } }, ['rateLimit', 'periodSeconds']],
  [{ rateLimit: { limit: 0, periodSeconds: 1 } }, ['rateLimit', 'limit']],
  [{ rateLimit: { limit: 10_001, periodSeconds: 1 } }, ['rateLimit', 'limit']],
  [{ rateLimit: { limit: 1.5, periodSeconds: 1 } }, ['rateLimit', 'limit']],
  [{ rateLimit: { limit: '5', periodSeconds: 1 } }, ['rateLimit', 'limit']],
  [{ rateLimit: { limit: 1, periodSeconds: 0 } }, ['rateLimit', 'periodSeconds']],
  [{ rateLimit: { limit: 1, periodSeconds: 3_601 } }, ['rateLimit', 'periodSeconds']],
  [{ maxConcurrency: 0 }, ['maxConcurrency']],
  [{ maxConcurrency: 101 }, ['maxConcurrency']],
  [{ maxConcurrency: 1.5 }, ['maxConcurrency']],
  [{ maxConcurrency: null }, ['maxConcurrency']],
])('%j is refused, and the error names the field', (config, path) => {
  expect(endpointConfig.safeParse(config).error?.issues[0]?.path).toEqual(path);
});
