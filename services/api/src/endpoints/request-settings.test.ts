import { expect, test } from '@jest/globals';
import type { EndpointConfig } from '@posthorn/contract/endpoint-config';
import { refuseRequestSettings } from './request-settings.ts';

const stripe: EndpointConfig = { signature: 'stripe' };
const own: EndpointConfig = { signature: { scheme: 'hmac', header: 'x-sign' } };

test.each([
  ...['pull', 'rabbitmq', 'sqs'].flatMap((type): [string, EndpointConfig, string][] => [
    [type, stripe, 'signature'],
    [type, own, 'signature'],
    [type, { standardHeaders: true }, 'standardHeaders'],
  ]),
])('a %s endpoint refuses %j: its messages have the standard signature', (type, config, key) => {
  expect(() => refuseRequestSettings(type, { config })).toThrow(`config.${key} is not for a ${type} endpoint`);
});

test('a webhook and a playground take the signature of another service, and every endpoint a standard one', () => {
  for (const config of [stripe, own]) {
    for (const type of ['webhook', 'playground']) expect(() => refuseRequestSettings(type, { config })).not.toThrow();
  }
  for (const type of ['webhook', 'pull', 'rabbitmq']) {
    expect(() => refuseRequestSettings(type, { config: { signature: 'standard-ed25519' } })).not.toThrow();
  }
});
