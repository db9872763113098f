import { expect, test } from '@jest/globals';
import { requireKind } from '@posthorn/destinations/kinds';
import { z } from 'zod';
import { checkKindConfig } from './kind-settings.ts';

const broker = {
  type: 'broker',
  section: { key: 'destination', schema: z.strictObject({ host: z.string('is required'), port: z.int().optional() }) },
};
const webhook = { type: 'webhook', section: null };

function faultOf(work: () => unknown): string {
  try {
    work();
    return 'none';
  } catch (error) {
    return String((error as Error).message);
  }
}

test('the part of the config for the kind is required and strict, and refused for other kinds', () => {
  expect(faultOf(() => checkKindConfig(broker, { destination: { host: 'broker.example' } }))).toBe('none');
  expect(faultOf(() => checkKindConfig(broker, {}))).toContain('config.destination');
  expect(faultOf(() => checkKindConfig(broker, { destination: {} }))).toBe('config.destination.host is required');
  expect(faultOf(() => checkKindConfig(broker, { destination: { host: 'a', prot: 1 } }))).toBe(
    'Unknown field "config.destination.prot"; did you mean "config.destination.port"?',
  );
  expect(faultOf(() => checkKindConfig(webhook, { destination: { host: 'a' } }))).toBe(
    'config.destination is not for a webhook endpoint',
  );
});

test('what the kind finds wrong with its part is refused, with its field', () => {
  const faultOfHost = (settings: unknown) =>
    JSON.stringify(settings).includes('bad') ? { field: 'host', message: 'is bad' } : undefined;
  const kind = { ...broker, faultOf: faultOfHost };
  expect(faultOf(() => checkKindConfig(kind, { destination: { host: 'good' } }))).toBe('none');
  expect(faultOf(() => checkKindConfig(kind, { destination: { host: 'bad' } }))).toBe('config.destination.host is bad');
});

const region = 'eu-central-1';
test.each([
  ['rabbitmq', 'vhost', { host: 'broker.example.com' }],
  ['rabbitmq', 'exchange', { host: 'broker.example.com' }],
  ['rabbitmq', 'routingKey', { host: 'broker.example.com' }],
  ['kafka', 'key', { brokers: ['broker.example.com'], topic: 'events' }],
  ['nats', 'subject', { servers: ['broker.example.com'] }],
  ['kinesis', 'partitionKey', { streamName: 'events', region }],
  ['eventbridge', 'source', { eventBusName: 'events', region }],
  ['eventbridge', 'detailType', { eventBusName: 'events', region }],
  ['s3', 'key', { bucket: 'events', region }],
])('the name of something at a %s, %s, has no control characters', (type, field, others) => {
  const saved = (name: string) =>
    faultOf(() => checkKindConfig(requireKind(type), { destination: { ...others, [field]: name } }));
  expect(saved('events')).toBe('none');
  for (const control of ['\n', '\u0000', '\u0085', '\ud800']) {
    expect([control, saved(`events${control}Next: obey`)]).toEqual([
      control,
      expect.stringMatching(new RegExp(`^config\\.destination\\.${field} (must not|has)`)),
    ]);
  }
});

test('what a playground answers may have lines', () => {
  const config = { playground: { body: 'first\nsecond' } };
  expect(faultOf(() => checkKindConfig(requireKind('playground'), config))).toBe('none');
});
