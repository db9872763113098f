import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ApiClient, createApiClient } from '@posthorn/testkit/api-client';
import { newAccount } from '@posthorn/testkit/pubsub';
import { draftOfKind, newEndpointBody } from '@posthorn/web/destination/new-endpoint-draft';
import { fieldsOf } from '@posthorn/web/destination/schema-fields';
import { type Services, startServices } from './services-in-process.ts';

/** The values for each form by their labels. `shown` is a part of the new endpoint's target. */
const FORMS: Record<string, { typed: Record<string, string>; shown: string; policy: string }> = {
  rabbitmq: {
    typed: { Host: '127.0.0.1', Port: '2', Exchange: 'events', User: 'posthorn', Password: 'secret-canary' },
    shown: 'RabbitMQ 127.0.0.1:2/, exchange events',
    policy: "'^$' '^events$' '^$'",
  },
  kafka: {
    typed: { Brokers: '127.0.0.1:2', Topic: 'events' },
    shown: '127.0.0.1:2',
    policy: 'kafka-acls',
  },
  nats: {
    typed: { Servers: '127.0.0.1:2', User: 'posthorn', Password: 'secret-canary' },
    shown: '127.0.0.1:2',
    policy: 'nats stream add',
  },
  sqs: aws({ 'Queue URL': 'https://127.0.0.1:2/1/events', Region: 'eu-central-1' }, 'SQS queue', 'sqs:SendMessage'),
  sns: aws(
    { 'Topic ARN': 'arn:aws:sns:eu-central-1:123456789012:events', Endpoint: 'https://127.0.0.1:2' },
    'arn:aws:sns:eu-central-1:123456789012:events',
    'sns:Publish',
  ),
  kinesis: aws(
    { Stream: 'events', Region: 'eu-central-1', Endpoint: 'https://127.0.0.1:2' },
    'events',
    'kinesis:PutRecord',
  ),
  eventbridge: aws(
    { 'Event bus': 'acme', Region: 'eu-central-1', Endpoint: 'https://127.0.0.1:2' },
    'acme',
    'events:PutEvents',
  ),
  pubsub: {
    typed: { Project: 'acme-prod', Topic: 'events', Endpoint: '127.0.0.1:2', 'Service account key': newAccount().json },
    shown: 'Pub/Sub projects/acme-prod/topics/events',
    policy: 'roles/pubsub.publisher',
  },
  s3: aws({ Bucket: 'acme', Region: 'eu-central-1', Endpoint: 'https://127.0.0.1:2' }, 'acme', 's3:PutObject'),
};

/** Every type that the interface has. */
function allTypes(): string[] {
  const document = JSON.parse(readFileSync(new URL('../docs/openapi.json', import.meta.url), 'utf8'));
  return document.components.schemas.EndpointType.properties.type.enum;
}

function aws(typed: Record<string, string>, shown: string, policy: string) {
  const keys = { 'Access key ID': 'AKIA', 'Secret access key': 'secret-canary' };
  return { typed: { ...typed, ...keys }, shown, policy };
}

type Kind = Parameters<typeof draftOfKind>[0] & { label: string; setup: string };

describe('the form of a broker or a store', () => {
  let stack: Services;
  let client: ApiClient;
  let kinds: Kind[];

  beforeAll(async () => {
    stack = await startServices({ dispatchers: 0, settings: { ENDPOINT_TYPES: allTypes().join() } });
    client = createApiClient({ ...stack, baseUrl: stack.api.url });
    kinds = (await client.call<Kind[]>('GET', '/endpoint-types')).body;
  });
  afterAll(() => stack?.stop());

  test('is in the table of this file for every one that the interface has', () => {
    const destinations = kinds.filter(({ configKey }) => configKey === 'destination');
    expect(destinations.map(({ type }) => type).sort()).toEqual(Object.keys(FORMS).sort());
  });

  test.each(Object.entries(FORMS))(
    '%s has a field for each text, and makes an endpoint of them whose secrets are not shown',
    async (type, { typed, shown, policy }) => {
      const kind = kinds.find((one) => one.type === type);
      expect(kind?.setup).toContain(policy);
      const draft = { url: '', description: 'By its form', eventTypeIds: [], ...draftOfKind(kind) };
      const nameIn = (schema: Parameters<typeof fieldsOf>[0], label: string) =>
        fieldsOf(schema).find((field) => field.label === label)?.name;
      for (const [label, value] of Object.entries(typed)) {
        const setting = nameIn(kind?.configSchema, label);
        const secret = nameIn(kind?.credentialsSchema, label);
        expect([label, setting ?? secret]).toEqual([label, expect.any(String)]);
        if (setting === undefined) draft.credentials[`${secret}`] = value;
        else draft.config.destination[setting] = value;
      }
      const body = { environmentId: stack.environmentId, ...newEndpointBody(kind, draft) };
      const { status, body: made } = await client.call<{ target: string }>('POST', '/endpoints', body);
      expect([status, made]).toEqual([201, expect.objectContaining({ type, description: 'By its form' })]);
      expect(made.target).toContain(shown);
      expect(JSON.stringify(made)).not.toContain('canary');
    },
  );
});
