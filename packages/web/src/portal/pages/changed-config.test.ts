import { expect, test } from '@jest/globals';
import { changedConfig } from './changed-config.ts';

test('an unchanged body is sent without its format, which types of a fixed format refuse', () => {
  const config = { destination: { streamName: 'orders' }, payloadFormat: 'envelope' } as const;
  expect(changedConfig(config, { format: 'raw', signature: 'standard-ed25519' })).toEqual({
    destination: { streamName: 'orders' },
    signature: 'standard-ed25519',
  });
  expect(changedConfig({}, { format: 'cloudevents', signature: 'standard' })).toEqual({
    payloadFormat: 'cloudevents',
    signature: 'standard',
  });
});

test('the standard headers are left out with a signature of another service alone', () => {
  const config = { standardHeaders: false };
  expect(changedConfig(config, { format: 'raw', signature: 'github' })).toEqual({
    signature: 'github',
    standardHeaders: false,
  });
  expect(changedConfig(config, { format: 'raw', signature: 'standard' })).toEqual({ signature: 'standard' });
});
